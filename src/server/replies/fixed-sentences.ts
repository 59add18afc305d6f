import type { LocalizedReply } from './policy.ts'

type Sentences = Required<LocalizedReply>

/** Follows `NOT_FOR_THIS`. `{contact}` is replaced. */
export const CONTACT_SENTENCE: Sentences = {
  en: 'You can contact {contact}.',
  ar: 'يمكنك التواصل عبر {contact}.',
  de: 'Sie erreichen den Betreiber unter {contact}.',
  es: 'Puede ponerse en contacto a través de {contact}.',
  fr: 'Vous pouvez écrire à {contact}.',
  hi: 'आप {contact} पर संपर्क कर सकते हैं।',
  it: 'Puoi contattare {contact}.',
  ja: 'お問い合わせ先：{contact}',
  ko: '문의처: {contact}',
  pt: 'Você pode entrar em contato com {contact}.',
  ru: 'Вы можете обратиться по адресу {contact}.',
  zh: '您可以联系：{contact}。',
}

/** The reply to a prompt about a topic that the policy excludes. */
export const NOT_FOR_THIS: Sentences = {
  en: 'I can’t help with this topic here.',
  ar: 'لا يمكنني المساعدة في هذا الموضوع هنا.',
  de: 'Zu diesem Thema kann ich hier nicht helfen.',
  es: 'No puedo ayudar con este tema aquí.',
  fr: 'Je ne peux pas vous aider sur ce sujet ici.',
  hi: 'मैं यहाँ इस विषय में मदद नहीं कर सकता।',
  it: 'Qui non posso aiutarti su questo argomento.',
  ja: 'このトピックについては、ここではお答えできません。',
  ko: '여기서는 이 주제를 도와드릴 수 없습니다.',
  pt: 'Não posso ajudar com este assunto aqui.',
  ru: 'Здесь я не могу помочь с этой темой.',
  zh: '我无法在这里解答这个话题。',
}

/** The reply to a prompt in a language that the agent doesn't answer in. `{languages}` is replaced. */
export const OTHER_LANGUAGE: Sentences = {
  en: 'I can only answer in {languages}.',
  ar: 'يمكنني الإجابة بهذه اللغات فقط: {languages}.',
  de: 'Ich kann nur auf {languages} antworten.',
  es: 'Solo puedo responder en {languages}.',
  fr: 'Je peux seulement répondre en {languages}.',
  hi: 'मैं केवल इन भाषाओं में उत्तर दे सकता हूँ: {languages}।',
  it: 'Posso rispondere solo in {languages}.',
  ja: '次の言語でのみお答えできます：{languages}',
  ko: '다음 언어로만 답변할 수 있습니다: {languages}',
  pt: 'Só posso responder em {languages}.',
  ru: 'Я могу отвечать только на этих языках: {languages}.',
  zh: '我只能用以下语言回答：{languages}。',
}

/** The reply while staff have stopped answers, if they gave no text. */
export const SUSPENDED: Sentences = {
  en: 'Answers about this are paused at the moment. Please try again later.',
  ar: 'الإجابات عن هذا الموضوع متوقفة حاليًا. يُرجى المحاولة لاحقًا.',
  de: 'Antworten dazu sind zurzeit ausgesetzt. Bitte versuchen Sie es später noch einmal.',
  es: 'Las respuestas sobre este tema están en pausa. Vuelva a intentarlo más tarde.',
  fr: 'Les réponses à ce sujet sont suspendues pour le moment. Réessayez plus tard.',
  hi: 'इस विषय पर उत्तर अभी रोके गए हैं। कृपया बाद में फिर कोशिश करें।',
  it: 'Le risposte su questo argomento sono al momento sospese. Riprova più tardi.',
  ja: 'この件についての回答は現在停止しています。しばらくしてからもう一度お試しください。',
  ko: '이 주제에 대한 답변이 현재 중단되었습니다. 나중에 다시 시도해 주세요.',
  pt: 'As respostas sobre este assunto estão suspensas no momento. Tente novamente mais tarde.',
  ru: 'Ответы на эту тему сейчас приостановлены. Попробуйте позже.',
  zh: '目前暂停回答此类问题，请稍后再试。',
}

/** The reply to an attempt to change the assistant's instructions. */
export const INSTRUCTIONS_STAY: Sentences = {
  en: 'I can’t follow that. Ask me a question and I’ll try to help.',
  ar: 'لا يمكنني تنفيذ ذلك. اطرح سؤالًا وسأحاول المساعدة.',
  de: 'Dem kann ich nicht folgen. Stellen Sie mir eine Frage, und ich versuche zu helfen.',
  es: 'No puedo hacer eso. Hágame una pregunta e intentaré ayudar.',
  fr: 'Je ne peux pas faire cela. Posez-moi une question et j’essaierai de vous aider.',
  hi: 'मैं ऐसा नहीं कर सकता। कोई सवाल पूछें, मैं मदद करने की कोशिश करूँगा।',
  it: 'Non posso farlo. Fammi una domanda e proverò ad aiutarti.',
  ja: 'それには対応できません。ご質問があればお答えします。',
  ko: '그 요청은 따를 수 없습니다. 질문을 해 주시면 도와드리겠습니다.',
  pt: 'Não posso fazer isso. Faça uma pergunta e tentarei ajudar.',
  ru: 'Я не могу этого сделать. Задайте вопрос, и я постараюсь помочь.',
  zh: '我无法照做。请提出您的问题，我会尽力帮助。',
}

/** The reply when the sources support nothing of an answer. */
export const UNSUPPORTED_ANSWER: Sentences = {
  en: 'I can’t answer this from the sources that I have.',
  ar: 'لا يمكنني الإجابة عن ذلك من المصادر المتاحة لي.',
  de: 'Das kann ich aus den Quellen, die ich habe, nicht beantworten.',
  es: 'No puedo responder a esto con las fuentes que tengo.',
  fr: 'Je ne peux pas répondre à cela à partir des sources dont je dispose.',
  hi: 'मेरे पास जो स्रोत हैं, उनसे मैं इसका उत्तर नहीं दे सकता।',
  it: 'Non posso rispondere a questo con le fonti di cui dispongo.',
  ja: '手元の情報源からは、この質問にお答えできません。',
  ko: '가지고 있는 출처로는 이 질문에 답할 수 없습니다.',
  pt: 'Não posso responder a isso com as fontes de que disponho.',
  ru: 'Я не могу ответить на это по имеющимся у меня источникам.',
  zh: '根据现有来源，我无法回答这个问题。',
}

/** Follows, in brackets, a sentence that the sources don't support. */
export const NOT_CONFIRMED: Sentences = {
  en: 'not confirmed by the sources',
  ar: 'غير مؤكد من المصادر',
  de: 'nicht durch die Quellen bestätigt',
  es: 'no confirmado por las fuentes',
  fr: 'non confirmé par les sources',
  hi: 'स्रोतों से पुष्टि नहीं हुई',
  it: 'non confermato dalle fonti',
  ja: '情報源では確認できません',
  ko: '출처에서 확인되지 않음',
  pt: 'não confirmado pelas fontes',
  ru: 'не подтверждено источниками',
  zh: '来源未证实',
}
