/** Words that decide what a sentence claims, in the twelve languages of the page. Entries in Chinese, Japanese and Korean are parts of words. */

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

export const NEGATORS = set(
  'not no never none nobody nothing neither nor cannot nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ' +
    'ne~fr pas jamais aucun aucune rien non nunca ningún ninguna ningun nadie nada mai~it nessun nessuno nessuna niente não nenhum nenhuma ninguém ' +
    'не нет нельзя никогда никто ни لا ليس ليست لم لن غير नहीं नही न मत 不 没 無 未 非 ない ません なく ず 않 없 못 아닙',
)

/** Words that say by themselves that something is not so or not allowed. */
export const DENIALS = set(
  'cancelled canceled abolished discontinued shut barred abgesagt abgeschafft entfällt annulé annulée supprimé supprimée cancelado cancelada suprimido annullato abolito отменён отменен отменена ' +
    'forbidden prohibited banned closed refused excluded rejected impossible invalid verboten untersagt geschlossen ausgeschlossen unzulässig abgelehnt ' +
    'interdit interdite interdits interdites fermé fermée fermés fermées exclu exclus exclue refusé refusée ' +
    'prohibido prohibida prohibidos prohibidas cerrado cerrada cerrados excluido excluida vietato vietata chiuso chiusa escluso esclusa ' +
    'proibido proibida fechado fechada excluído запрещено запрещён запрещена закрыт закрыта закрыто ممنوع ممنوعة محظور مغلق مغلقة वर्जित बंद मना ' +
    '禁止 禁 关闭 闭馆 閉館 休館 休み 定休 금지 휴관 휴무 쉽니다',
)

/** Words after which the rest of the sentence is denied, such as "without". */
export const WITHOUT = set('without ohne sans sin senza sem без بدون دون बिना')

/** Words that begin an exception. */
export const EXCEPTIONS = set(
  'unless except excepting exempt exempted exemption außer ausgenommen befreit sofern sauf excepté exempté exemptés exemptées dispensé ' +
    'salvo excepto exento exenta exentos exentas menos eccetto tranne esente esenti exceto isento isentos isenta кроме исключением освобождены освобожден ' +
    'إلا باستثناء سوى सिवाय अलावा छोड़कर 除 以外 除く 除外 免除 제외',
)

/** Words that begin a condition or another restriction. */
export const CONDITIONS = set(
  'if provided when only who whose under over least most between within until wenn falls sofern nur wer unter über ab mindestens höchstens bis ' +
    'si lorsque quand seulement uniquement dont moins plus cuando solo sólo solamente quienes menores mayores hasta ' +
    'quando solo soltanto purché chi apenas somente quem если только когда до إذا فقط لمن الذين यदि अगर केवल सिर्फ 如果 只 仅 限 以上 以下 場合 のみ 限り 경우 만 이상 이하',
)

export const UNIVERSALS = set(
  'all every everyone everybody always never anyone alle~de allen jeder jede jedes jeden immer stets nie niemals sämtliche ' +
    'tous toutes toujours jamais quiconque todos todas siempre nunca cualquiera cualquier tutti tutte sempre chiunque mai~it todo toda qualquer ' +
    'все всем всех всегда никогда любой каждый каждого جميع كل دائما دائماً सभी सब हमेशा कभी 所有 全部 总是 任何 一律 永远 すべて 全て 常に 必ず いつでも 誰でも 모든 항상 누구나 모두 언제나',
)

/** What a source says of each, it says of all. */
export const EACH = set('each per je jeweils chaque cada ogni каждый каждая каждую لكل كل प्रत्येक प्रति 每 各 每个 毎 매 각')

/** Words that make a negation before them a limit: "not more than". */
export const COMPARATIVES = set(
  'more older later less fewer longer higher younger earlier mehr älter später länger höher weniger jünger plus moins más mayor menor menos ' +
    'until before only vor erst nur avant que hasta antes prima fino até until più maggiore mais maior более старше позднее позже менее выше',
)

/** Of what has these words, the opposite may be meant too: "free", "only", "exempt". */
export const AMBIGUOUS = set(
  'free voluntary optional freiwillig wahlweise facultatif facultative optionnel opcional voluntario voluntaria facoltativo volontario facultativo добровольно اختياري वैकल्पिक 自愿 任意 선택 ' +
    'only rather otherwise kostenlos kostenfrei gratis unentgeltlich nur sonst andernfalls gratuit gratuite gratuits gratuitement seulement sinon ' +
    'gratuito gratuita gratuitos solo sólo solamente gratuitamente soltanto altrimenti apenas somente grátis бесплатно только مجانا مجاني فقط मुफ्त निःशुल्क केवल ' +
    '免费 只 仅 無料 のみ だけ しか 무료 만',
)

/** Words between two parts of a sentence that claim different things. */
export const CONTRASTS = set(
  'but while whereas however if when unless except although though aber sondern während wenn falls außer jedoch sofern mais tandis sauf lorsque quand si ' +
    'pero sino mientras salvo excepto cuando ma mentre tranne mas enquanto exceto quando а но если кроме لكن بينما إذا إلا लेकिन यदि अगर 但 但是 而 如果 ただし が 지만 다만',
)

export const CONJUNCTIONS = set('and or und oder sowie et ou y o e u ed и или و أو और या 和 或 と や 와 과')

/** Words by which a sentence speaks of the assistant, its sources or the visitor's question, instead of the subject. */
export const SPEAKS_OF_ITSELF = set(
  'i passage passages source sources document documents information knowledge ich passagen quellen quelle dokumente dokumenten unterlagen informationen ' +
    'je passages sources documents informations yo fuentes documentos información pasajes fonti documenti informazioni brani fontes documentos informações ' +
    'я источниках источники документах сведений المصادر الوثائق معلومات المعلومات स्रोतों दस्तावेज़ों जानकारी मैं 我 来源 资料 信息 資料 情報 출처 자료 정보',
)

/** Before a number: "at most", or "at least". Strict limits such as "under" are left out, because they also state the other side. */
export const UPPER_BOUND =
  /\b(?:most|maximum|maximal|höchstens|up to|bis zu|au plus|jusqu à|como máximo|hasta|al massimo|fino a|no máximo|até|не более)$|(?:بحد أقصى|अधिकतम|最多|最大|최대)$/
export const LOWER_BOUND =
  /\b(?:least|minimum|mindestens|au moins|al menos|como mínimo|almeno|pelo menos|не менее)$|(?:على الأقل|न्यूनतम|至少|最低|최소)$/

/** Function words of the Latin and Cyrillic languages beyond those that other lists name. */
export const FUNCTION_WORDS = set(
  'the of to in on at by for from with as is are was were be been being has have had do does did can could may might must shall should will would it its ' +
    'this that these those there their they them you your he she his her we our also too than then into out up per which who what where how why not so such ' +
    'der die das den dem des ein eine einen einem einer eines und oder in im am an auf aus bei mit von vom zu zum zur für über unter nach vor ist sind war ' +
    'waren wird werden wurde wurden hat haben kann können darf dürfen muss müssen soll sollen es er sie man sich auch als wie dass ' +
    'le la les un une des du de et ou à au aux en dans par pour sur avec est sont était sera être a ont il elle ils on se ce cette ces son sa ses que qui y ' +
    'peut peuvent doit doivent faut vous votre el los las una unos unas del al y o por para con su sus es son fue ser está están ha han lo se que puede pueden ' +
    'debe deben hay usted il lo gli uno della dello dei delle nel nella con per da è sono era può possono deve devono che si os as um uma dos das no na nos ' +
    'nas em com é são foi pode podem dá и в на с по для от из у о к это является может могут должен что как его их был была было быть',
)

/** Words that say that something is allowed or needed: whether it is, negations decide. */
export const PERMISSIONS = set(
  'allowed permitted accepted possible required necessary need needs needed erlaubt gestattet zulässig möglich nötig notwendig erforderlich braucht brauchen benötigt ' +
    'autorisé autorisée autorisés permis possible nécessaire obligatoire permitido permitida permite posible necesario necesaria obligatorio permesso ' +
    'consentito consentita possibile necessario obbligatorio permitida possível necessário obrigatório разрешено разрешён можно нужно необходимо ' +
    'مسموح يسمح يجوز يمكن अनुमति आवश्यक 允许 可以 需要 必要 可能 できます 가능 필요',
)

export const EVERYONE = set('everyone everybody anyone jeder quiconque cualquiera chiunque все каждый 누구나 誰でも ')

/** Before a number that is not exact. */
export const ROUNDING = set(
  'about around approximately roughly nearly almost over under more less than circa etwa rund knapp ungefähr fast über unter mehr weniger gut environ près presque plus moins ' +
    'casi unos unas cerca más menos aproximadamente circa quasi oltre più meno quase около примерно почти более менее حوالي نحو लगभग करीब 约 大约 約 およそ 약 거의',
)

export const FREE = set(
  'free kostenlos kostenfrei gratis unentgeltlich gratuit gratuite gratuits gratuites gratuito gratuita grátis бесплатно бесплатный бесплатна مجانا مجاني निःशुल्क 免费 無料 무료',
)
