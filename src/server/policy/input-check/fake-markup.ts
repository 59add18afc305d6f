/** Marks that separate roles in the formats of models; visitors have no reason to type them. */
const ROLE_MARKS =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|begin_of_text)\|>|\[\/?INST\]|<<\/?SYS>>|<start_of_turn>/i

const AUTHORITY =
  'system(?:meldung|nachricht|message)?|sysop|admin(?:istrator|istrateur|istrador)?|developer|root|openai|anthropic|système|systeme|sistema|системное сообщение|система|系统|システム|시스템|رسالة النظام|النظام|सिस्टम'
/** The beginning of a line in the name of the system, with the rest of it. */
const LABEL = new RegExp(
  String.raw`^[\s#*>=\-~|]{0,12}[\[(<{"【]{0,3}(?:message (?:de l['’]|from |of )(?:the )?)?(?:begin |start |end of |new )?(?:${AUTHORITY})(?:[ _-](?:message|prompt|override|notice|update|note|command|instructions?|mode|policy|alert|root|user|input|v?[\d.]{1,6}|消息|提示|指令|メッセージ|메시지)){0,3}\s{0,3}[\])>}"】:：][^\n]{0,300}`,
  'gimu',
)
const ROLE_FIELD = /["']role["']\s{0,5}:\s{0,5}["'](?:system|developer|assistant)["'][^\n]{0,300}/gi
const COMMENT = /<!--\s{0,5}(?:to |for |note to )?(?:the )?(?:ai|llm|assistant|system|bot|model|chatbot)\b[^\n]{0,300}/gi
const TRANSCRIPT = /^\s{0,8}(?:assistant|ai|bot|chatgpt|gpt)\s{0,3}:[^\n]{0,300}/gim

/** What such text is about if it is an attack. */
const ABOUT_RULES =
  /ignor|safety|filters? (?:are )?(?:off|disabled|deactivated|lifted)|unlocked|full access|privileges|(?:print|output|show|dump) (?:your|all) (?:\w{1,20} )?(?:instructions|prompt|rules|config)|disabled|unrestricted|comply|policy|polic(?:y|ies)\b|reveal|disclose|override|overrid|jailbreak|restrictions? (?:are |is |have been )?(?:lifted|removed|off\b)|(?:no|without) restriction|without (?:limits|filter)|obey|bypass|new instructions|no (?:rules|filters|limits)|guidelines|verified developer|sicherheitsregel|anweisung|ausgesetzt|deaktiviert|filtres? (?:sont|est|désactiv|lev)|consignes|sans (?:filtre|limite|restriction)|obedece|sin (?:filtros|límites|restricciones)|senza (?:filtri|limiti|restrizioni)|sem (?:filtros|limites|restrições)|без (?:ограничений|фильтров|цензуры)|忽略|无限制|没有限制|解除|無視|制限なし|無制限|무시|제한 없|تجاهل|دون قيود|بدون قيود|भूल|बिना/iu

/** Whether a text imitates messages of the system or of the assistant that change its rules. */
export function imitatesSystem(text: string): boolean {
  if (ROLE_MARKS.test(text)) return true
  return [LABEL, ROLE_FIELD, COMMENT, TRANSCRIPT].some((pattern) =>
    (text.match(pattern) ?? []).slice(0, 50).some((line) => ABOUT_RULES.test(line)),
  )
}
