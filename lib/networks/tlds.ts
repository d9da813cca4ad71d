/**
 * Top-level domains that make `example.com` a link without a scheme: every two-letter country code in use, and the
 * generic ones that people post. The full list (1,400 names, iana.org/domains/root/db) isn't worth its weight in a
 * browser: an address with a scheme and any other ending still counts as a link, see `weightedLength`.
 */
const COUNTRIES =
  "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd " +
  "cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge " +
  "gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh " +
  "ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw " +
  "mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb " +
  "sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug " +
  "uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw";

const GENERIC =
  "academy aero agency app art arpa asia audio auto bank bar beauty beer best bet bike bio biz blog book boutique " +
  "build business buzz cafe camera camp capital care careers cars casa cash cat center charity chat church city " +
  "cloud club codes coffee com community company consulting cool coop credit dance data date deals delivery design " +
  "dev digital direct directory dog domains earth education email energy engineer estate events exchange expert " +
  "express family fans farm fashion film finance fit fitness football foundation fun fund fyi gallery game games " +
  "garden gift global gmbh gold google gov graphics green group guide guru health help host hosting house how inc " +
  "info ink institute int international investments jobs kim land law legal life limited link live loan london love " +
  "ltd management market marketing mba media men menu miami mil mobi mobile moda moe money movie museum music name " +
  "net network new news ngo ninja nyc one online org page paris partners parts party pet photo photography photos " +
  "pics pink pizza plus porn post press pro productions properties pub qpon quest radio realty red rent repair " +
  "report rest restaurant review reviews rip rocks run sale salon school science select services sex shop shopping " +
  "show site ski social software solar space sport sports store stream studio style supply support surf systems " +
  "taxi team tech technology tel tennis theater tips tires today tokyo tools top tours town toys trade training " +
  "travel tube university vacations ventures vet video vin vip vision vote wang watch web website wedding wien wiki " +
  "win wine work works world wtf xxx xyz yoga zone";

export const topLevelDomains = new Set(`${COUNTRIES} ${GENERIC}`.split(" "));
