/** Schemes that browsers reserve for themselves, that carry content, or that start another program or a store. */
const FOREIGN = new Set(
  (
    "javascript data vbscript blob file filesystem about intent view-source content ws wss ftp ftps sftp mailto tel sms " +
    "jar res resource mhtml mk feed livescript mocha wyciwyg search search-ms chrome edge opera brave vivaldi devtools " +
    "microsoft-edge googlechrome googlechromes firefox firefox-focus webkit safari applewebdata telnet ssh git svn smb nfs " +
    "ldap ldaps rtsp rtmp mms gopher nntp news irc ircs xmpp sip sips callto geo urn cid mid tag dns tv h323 " +
    "facetime facetime-audio facetime-video imessage itms itmss itms-apps itms-appss itms-services itms-beta itms-books " +
    "itunes macappstore macappstores prefs app-prefs app-settings shortcuts workflow market android-app googleplay " +
    "package shell amzn appmarket samsungapps hcp help afp vnc rdp calshow webcal maps comgooglemaps " +
    "mobilenotes music podcasts videos ibooks message sms-to smsto mmsto mms-to sgnl whatsapp tg skype steam zoommtg zoomus " +
    "msteams slack spotify fbapi fb-messenger instagram instagram-stories barcelona twitter youtube vnd.youtube tiktok " +
    "musically snssdk1233 linkedin pinterest viber line weixin wechat discord webcals im magnet bitcoin"
  ).split(" "),
);

/** Windows and macOS start programs and settings through schemes of these kinds; browsers use the last for extensions. */
const FAMILY = /^(?:ms-|x-apple|apple-|com\.apple\.|chrome-|moz-|safari-|opera-)/;

/** Whether a scheme (in lower case) belongs to a browser, the operating system or another program, so that no partner owns it. */
export function isForeignScheme(scheme: string): boolean {
  return FOREIGN.has(scheme) || FAMILY.test(scheme);
}
