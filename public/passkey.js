// Asks the browser for a passkey and sends the answer with the form. Two pages load it (components/plain/session/factor-pages.ts).
const form = document.querySelector("form[data-passkey]");
const notice = form.querySelector("[role=alert]");
const { passkey: call, options, immediate, unsupported, stopped } = form.dataset;

async function ask() {
  notice.hidden = true;
  const parse =
    window.PublicKeyCredential?.[call === "create" ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON"];
  if (!parse) return showProblem(unsupported);
  try {
    const publicKey = parse.call(window.PublicKeyCredential, JSON.parse(options));
    const credential = await navigator.credentials[call]({ publicKey });
    form.elements.credential.value = JSON.stringify(credential);
    form.submit();
  } catch {
    // The browser says the same whether the person refused, nothing was chosen or the passkey exists already.
    showProblem(stopped);
  }
}

function showProblem(text) {
  notice.textContent = text;
  notice.hidden = false;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
form.querySelector("button").disabled = false;
if (immediate) ask();
