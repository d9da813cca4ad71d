import type { ConnectWords } from "./types";

export const de: ConnectWords = {
  failures: {
    denied: ({ network, partner }) => ({
      title: `${network} wurde nicht verbunden`,
      explanation: `Sie haben es auf der Seite von ${network} nicht erlaubt. Es wurde nichts gespeichert.`,
      withRestart: "Wenn das Ihre Absicht war, ist nichts weiter zu tun. Andernfalls beginnen Sie noch einmal.",
      without: `Wenn das Ihre Absicht war, ist nichts weiter zu tun. Andernfalls gehen Sie zurück zu ${partner} und verbinden Sie erneut.`,
    }),
    "missing permission": ({ network, partner }) => ({
      title: "Eine Berechtigung fehlt",
      explanation: `Zum Veröffentlichen sind alle Berechtigungen nötig, nach denen ${network} fragt, und mindestens eine wurde nicht erteilt. Es wurde nichts verbunden.`,
      withRestart: "Beginnen Sie noch einmal und lassen Sie alle angekreuzt.",
      without: `Gehen Sie zurück zu ${partner}, verbinden Sie erneut und lassen Sie alle angekreuzt.`,
    }),
    network: ({ network, partner }) => ({
      title: `${network} hat nicht wie erwartet geantwortet`,
      explanation:
        "Es wurde nichts verbunden, und Sie haben nichts falsch gemacht. Meist ist das Problem nur vorübergehend.",
      withRestart: "Warten Sie eine Minute und beginnen Sie dann noch einmal.",
      without: `Warten Sie eine Minute, gehen Sie dann zurück zu ${partner} und verbinden Sie erneut.`,
    }),
    "account in use": ({ network, partner }) => ({
      title: "Dieses Konto ist schon woanders verbunden",
      explanation: `Ein anderer Nutzer dieses Dienstes verwendet dieses Konto bei ${network} bereits. Es wurde deshalb nicht verbunden.`,
      withRestart: `Lassen Sie es dort zuerst trennen, oder melden Sie sich bei ${network} mit einem anderen Konto an und beginnen Sie noch einmal.`,
      without: `Lassen Sie es dort zuerst trennen, oder melden Sie sich bei ${network} mit einem anderen Konto an und verbinden Sie erneut über ${partner}.`,
    }),
    "other account": ({ network, partner, other }) => ({
      title: "Das ist ein anderes Konto",
      explanation: `${network} hat Sie mit ${other?.found ?? "einem anderen Konto"} angemeldet, nicht mit ${other?.wanted ?? "dem Konto, das Sie neu verbinden wollten"}. Es wurde nichts geändert.`,
      withRestart: other?.isConnected
        ? `${other.found} ist bereits verbunden. Um ${other.wanted} neu zu verbinden, melden Sie sich bei ${network} mit diesem Konto an.`
        : `Um ${other?.wanted ?? "Ihr Konto"} neu zu verbinden, melden Sie sich bei ${network} mit diesem Konto an. Oder fügen Sie ${other?.found ?? "das andere"} als neues Konto hinzu.`,
      without: `Melden Sie sich bei ${network} mit dem Konto an, das Sie neu verbinden wollen, und gehen Sie dann zurück zu ${partner}.`,
    }),
    "wrong browser": ({ network, partner }) => ({
      title: "Öffnen Sie den Link noch einmal in diesem Browser",
      explanation: `Das Verbinden mit ${network} wurde in einem anderen Browser oder einer anderen App begonnen. Zu Ihrer Sicherheit kann es nur dort beendet werden.`,
      without: `Gehen Sie in diesem Browser zurück zu ${partner} und verbinden Sie hier erneut.`,
    }),
    unread: ({ partner }) => ({
      title: "Dieses Formular konnte nicht gelesen werden",
      explanation: "Es wurde nichts verbunden.",
      without: `Gehen Sie zurück zu ${partner} und verbinden Sie dort erneut.`,
    }),
    expired: ({ partner }) => ({
      title: "Dieser Link ist abgelaufen",
      explanation:
        "Solche Links gelten nur einmal und nur wenige Minuten. Durch das Öffnen wurde jetzt nichts verbunden.",
      withRestart: "Beginnen Sie noch einmal, dann erhalten Sie einen neuen.",
      without: `Gehen Sie zurück zu ${partner} und verbinden Sie von dort aus erneut.`,
    }),
    suspended: ({ partner }) => ({
      title: "Das Verbinden ist hier abgeschaltet",
      explanation: "Zurzeit lässt sich mit diesem Link kein Konto verbinden. Es wurde nichts verbunden.",
      without: `Fragen Sie bei ${partner} nach.`,
    }),
    unavailable: ({ network, partner }) => ({
      title: `${network} lässt sich hier nicht verbinden`,
      explanation: "Dieser Dienst ist dafür nicht eingerichtet. Es wurde nichts verbunden.",
      without: `Gehen Sie zurück zu ${partner} und wählen Sie ein anderes Netzwerk.`,
    }),
    fault: ({ partner }) => ({
      title: "Bei uns ist etwas schiefgegangen",
      explanation:
        "Es wurde nichts verbunden, und Sie haben nichts falsch gemacht. Wir haben den Fehler aufgezeichnet.",
      withRestart: "Beginnen Sie gleich noch einmal.",
      without: `Gehen Sie gleich zurück zu ${partner} und verbinden Sie erneut.`,
    }),
  },
  theNetwork: "Das Netzwerk",
  whereFrom: "der Seite, von der Sie kamen,",
  startAgain: "Noch einmal beginnen",
  missing: (count) => (count === 1 ? "Diese Berechtigung fehlt:" : "Diese Berechtigungen fehlen:"),
  purposes: {
    profile: "Ihr Profil sehen",
    posts: "Ihre Beiträge sehen",
    pages: "Sehen, welche Seiten Sie verwalten",
    boards: "Ihre Pinnwände sehen",
    publish: "Beiträge veröffentlichen",
    saveToBoards: "Auf Ihren Pinnwänden speichern",
    upload: "Bilder und Videos hochladen",
    stay: "Verbunden bleiben",
  },
  reconnect: (account) => `${account} neu verbinden`,
  add: (account) => `${account} als neues Konto hinzufügen`,
  backTo: (partner) => `Zurück zu ${partner}`,
  backToAccounts: "Zurück zu Ihren Konten",
  closeWindow: "Sie können dieses Fenster auch schließen.",
  quoteCode: (partner) =>
    partner
      ? `Wenn Sie ${partner} um Hilfe bitten, nennen Sie diesen Code:`
      : "Wenn Sie uns um Hilfe bitten, nennen Sie diesen Code:",
  confirmation: {
    title: ({ network }) => `${network} verbinden?`,
    explanation: ({ network, partner }) =>
      `${partner} kann danach auf dem Konto bei ${network} veröffentlichen, das Sie gleich auswählen.`,
    promises: ({ network, partner }) => [
      [`${partner} sieht nie Ihr Passwort`, `Sie geben es nur auf der Seite von ${network} ein.`],
      [`Veröffentlicht wird, was Sie mit ${partner} veröffentlichen`, "Sonst wird nichts in Ihrem Namen gesendet."],
      ["Sie können die Verbindung jederzeit trennen", `Bei ${partner} oder bei ${network} selbst.`],
    ],
    partner: "Dienst",
    user: "Nutzer",
    warning: ({ partner }) =>
      `Fahren Sie nur fort, wenn Sie gerade von ${partner} kommen und Sie selbst dieser Nutzer sind.`,
    button: ({ network }) => `Weiter zu ${network}`,
    otherwise: "Andernfalls schließen Sie diese Seite. Es wurde nichts verbunden.",
  },
  redirect: {
    title: "Noch ein Schritt",
    explanation: "Ihr Browser hat Sie nicht automatisch weitergeleitet.",
    button: (partner) => (partner ? `Zurück zu ${partner}` : "Weiter"),
  },
  embedded: {
    ended: "Diese Liste ist abgelaufen. Laden Sie die Seite neu, um weiterzumachen.",
    failed: "Carillon hat nicht geantwortet. Prüfen Sie Ihre Verbindung und laden Sie die Seite dann neu.",
    accounts: {
      title: "Verbundene Konten",
      add: "Konto hinzufügen",
      none: "Noch ist kein Konto verbunden.",
      connectAgain: "Neu verbinden",
      mustReconnect: "Muss neu verbunden werden",
      underWay: "Machen Sie in dem Fenster weiter, das sich geöffnet hat, um {network} zu verbinden.",
      blocked:
        "Ihr Browser hat das Fenster für {network} blockiert. Erlauben Sie Fenster für diese Seite und drücken Sie den Knopf noch einmal.",
      closed:
        "Das Fenster für {network} wurde vor dem Ende geschlossen, also ist nichts verbunden. Wenn Sie es noch sehen, machen Sie dort weiter: Diese Liste bemerkt es.",
      connected: "{account} bei {network} ist verbunden.",
    },
    webhooks: {
      title: "Webhooks",
      none: "Es gibt noch keine Webhooks.",
      add: "Webhook hinzufügen",
      change: "Webhook ändern",
      address: "Adresse",
      events: "Ereignisse",
      allEvents: "Alle Ereignisse",
      someEvents: "{count} von {total} Ereignissen",
      addIt: "Webhook hinzufügen",
      save: "Speichern",
      cancel: "Abbrechen",
      enterAddress: "Geben Sie die Adresse ein.",
      chooseEvent: "Wählen Sie mindestens ein Ereignis.",
      on: "Ein",
      off: "Aus",
      offBecause: "Aus: {reason}",
      switchOn: "Einschalten",
      switchOff: "Ausschalten",
      edit: "Ändern",
      newSecret: "Neues Geheimnis",
      newSecretQuestion: "Neues Geheimnis erzeugen? Das bisherige unterschreibt noch 24 Stunden lang zusätzlich.",
      remove: "Löschen",
      removeQuestion: "Diesen Webhook und seine Zustellungen löschen? Es wird nichts mehr an ihn gesendet.",
      keep: "Behalten",
      sendTest: "Test senden",
      testSent: "Ein Test wurde gesendet. Seine Zustellung steht unten.",
      secret: "Das Geheimnis wird nur jetzt gezeigt. Ihr Empfänger prüft damit die Unterschriften:",
      deliveries: "Zustellungen",
      noDeliveries: "Es wurde noch nichts gesendet. Senden Sie einen Test, um zu sehen, ob er ankommt.",
      older: "Ältere zeigen",
      sendAgain: "Noch einmal senden",
      sending: "Wird gesendet",
      delivered: "Zugestellt",
      gaveUp: "Fehlgeschlagen",
      retriedAt: "Nächster Versuch um {time}",
      answered: "{time}: Antwort {status}",
      noAnswer: "{time}: {reason}",
      added: "Der Webhook wurde hinzugefügt.",
      saved: "Der Webhook wurde gespeichert.",
      removed: "Der Webhook wurde gelöscht.",
    },
    end: {
      title: "Sie können dieses Fenster schließen",
      closeWindow: "Machen Sie auf der Seite weiter, von der Sie kommen.",
    },
  },
};
