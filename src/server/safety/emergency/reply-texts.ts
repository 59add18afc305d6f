import type { PageLanguage } from '../../../contract/page-languages.ts'
import type { EmergencyKind } from './kinds.ts'

type Texts = Record<PageLanguage, string>

const ILLNESS: Texts = {
  en: 'This sounds like an emergency. Please call for medical help now. I’m an AI and can’t call anyone for you.',
  ar: 'يبدو أن هذه حالة طارئة. يُرجى طلب المساعدة الطبية الآن. أنا ذكاء اصطناعي ولا يمكنني الاتصال بأحد نيابةً عنك.',
  de: 'Das klingt nach einem Notfall. Bitte rufen Sie jetzt medizinische Hilfe. Ich bin eine KI und kann niemanden für Sie anrufen.',
  es: 'Parece una emergencia. Pida ayuda médica ahora mismo. Soy una IA y no puedo llamar a nadie por usted.',
  fr: 'Cela ressemble à une urgence. Appelez les secours maintenant. Je suis une IA et ne peux appeler personne à votre place.',
  hi: 'यह आपात स्थिति लगती है। कृपया अभी चिकित्सा सहायता के लिए फ़ोन करें। मैं एआई हूँ और आपके लिए किसी को फ़ोन नहीं कर सकता।',
  it: 'Sembra un’emergenza. Chiama subito i soccorsi. Sono un’IA e non posso chiamare nessuno al posto tuo.',
  ja: '緊急の状態かもしれません。今すぐ救急に電話してください。私はAIのため、代わりに電話することはできません。',
  ko: '응급 상황일 수 있습니다. 지금 바로 구급 신고를 하세요. 저는 AI라서 대신 전화할 수 없습니다.',
  pt: 'Isto parece uma emergência. Peça ajuda médica agora. Sou uma IA e não posso ligar para ninguém por você.',
  ru: 'Похоже, это экстренная ситуация. Пожалуйста, вызовите медицинскую помощь прямо сейчас. Я ИИ и не могу позвонить за вас.',
  zh: '这听起来像紧急情况。请立即拨打急救电话。我是人工智能，无法替您打电话。',
}

/** First sentences of the reply, by kind. */
export const OPENINGS: Record<EmergencyKind, Texts> = {
  self_harm: {
    en: 'I’m sorry that you’re going through this. You don’t have to face it alone: please talk to someone now. I’m an AI and can’t call anyone for you. If someone is in danger, call the emergency number.',
    ar: 'يؤسفني ما تمر به. لست مضطرًا لمواجهته وحدك: تحدّث إلى شخص الآن من فضلك. أنا ذكاء اصطناعي ولا يمكنني الاتصال بأحد نيابةً عنك. إذا كان أحد في خطر، فاتصل برقم الطوارئ.',
    de: 'Es tut mir leid, dass es Ihnen oder jemandem so schlecht geht. Sie müssen damit nicht allein sein: Bitte sprechen Sie jetzt mit einem Menschen. Ich bin eine KI und kann niemanden für Sie anrufen. Ist jemand in Gefahr, wählen Sie den Notruf.',
    es: 'Siento mucho lo que está pasando. No tiene que afrontarlo a solas: hable con alguien ahora, por favor. Soy una IA y no puedo llamar a nadie por usted. Si alguien está en peligro, llame a emergencias.',
    fr: 'Je suis désolé de ce que vous traversez. Vous n’avez pas à y faire face seul : parlez à quelqu’un maintenant. Je suis une IA et ne peux appeler personne à votre place. Si quelqu’un est en danger, appelez les secours.',
    hi: 'मुझे दुख है कि आप इससे गुज़र रहे हैं। आपको इसका सामना अकेले नहीं करना है: कृपया अभी किसी से बात करें। मैं एआई हूँ और आपके लिए किसी को फ़ोन नहीं कर सकता। यदि कोई खतरे में है, तो आपातकालीन नंबर पर फ़ोन करें।',
    it: 'Mi dispiace per quello che stai passando. Non devi affrontarlo da solo: parla con qualcuno adesso. Sono un’IA e non posso chiamare nessuno al posto tuo. Se qualcuno è in pericolo, chiama il numero di emergenza.',
    ja: 'とてもつらい状況なのですね。一人で抱えず、今すぐ誰かに話してください。私はAIのため、代わりに電話することはできません。危険が迫っているときは、緊急番号に電話してください。',
    ko: '많이 힘드시겠습니다. 혼자 견디지 않으셔도 됩니다. 지금 누군가와 이야기해 주세요. 저는 AI라서 대신 전화할 수 없습니다. 위험한 상황이라면 긴급 번호로 전화하세요.',
    pt: 'Lamento pelo que você está passando. Não precisa enfrentar isso sozinho: fale com alguém agora. Sou uma IA e não posso ligar para ninguém por você. Se alguém está em perigo, ligue para a emergência.',
    ru: 'Мне жаль, что вам сейчас так тяжело. Вам не нужно справляться с этим в одиночку: пожалуйста, поговорите с кем-нибудь прямо сейчас. Я ИИ и не могу позвонить за вас. Если кто-то в опасности, звоните в экстренную службу.',
    zh: '很抱歉您正在经历这些。您不必独自承受，请现在就找人谈谈。我是人工智能，无法替您打电话。如果有人处于危险中，请拨打紧急电话。',
  },
  poisoning: ILLNESS,
  acute_illness: ILLNESS,
  fire: {
    en: 'This sounds dangerous. Get yourself and others to a safe place and call the fire brigade now. I’m an AI and can’t call anyone for you.',
    ar: 'يبدو هذا خطيرًا. ابتعد مع الآخرين إلى مكان آمن واتصل بالإطفاء الآن. أنا ذكاء اصطناعي ولا يمكنني الاتصال بأحد نيابةً عنك.',
    de: 'Das klingt gefährlich. Bringen Sie sich und andere in Sicherheit und rufen Sie jetzt die Feuerwehr. Ich bin eine KI und kann niemanden für Sie anrufen.',
    es: 'Parece peligroso. Póngase a salvo con los demás y llame a los bomberos ahora. Soy una IA y no puedo llamar a nadie por usted.',
    fr: 'Cela semble dangereux. Mettez-vous à l’abri avec les autres et appelez les pompiers maintenant. Je suis une IA et ne peux appeler personne à votre place.',
    hi: 'यह खतरनाक लगता है। दूसरों के साथ सुरक्षित जगह पर जाएँ और अभी दमकल को फ़ोन करें। मैं एआई हूँ और आपके लिए किसी को फ़ोन नहीं कर सकता।',
    it: 'Sembra pericoloso. Mettiti al sicuro con gli altri e chiama subito i vigili del fuoco. Sono un’IA e non posso chiamare nessuno al posto tuo.',
    ja: '危険な状況かもしれません。周りの人と安全な場所に避難し、今すぐ消防に電話してください。私はAIのため、代わりに電話することはできません。',
    ko: '위험한 상황일 수 있습니다. 주변 사람들과 안전한 곳으로 대피하고 지금 바로 소방서에 신고하세요. 저는 AI라서 대신 전화할 수 없습니다.',
    pt: 'Isto parece perigoso. Vá com as outras pessoas para um lugar seguro e ligue agora para os bombeiros. Sou uma IA e não posso ligar para ninguém por você.',
    ru: 'Похоже, это опасно. Уйдите вместе с остальными в безопасное место и звоните пожарным прямо сейчас. Я ИИ и не могу позвонить за вас.',
    zh: '这听起来很危险。请和其他人一起到安全的地方，并立即拨打火警电话。我是人工智能，无法替您打电话。',
  },
  violence: {
    en: 'This sounds dangerous. If you can, get to a safe place and call the police now. I’m an AI and can’t call anyone for you.',
    ar: 'يبدو هذا خطيرًا. إن استطعت، فاذهب إلى مكان آمن واتصل بالشرطة الآن. أنا ذكاء اصطناعي ولا يمكنني الاتصال بأحد نيابةً عنك.',
    de: 'Das klingt gefährlich. Bringen Sie sich in Sicherheit, wenn Sie können, und rufen Sie jetzt die Polizei. Ich bin eine KI und kann niemanden für Sie anrufen.',
    es: 'Parece peligroso. Si puede, vaya a un lugar seguro y llame a la policía ahora. Soy una IA y no puedo llamar a nadie por usted.',
    fr: 'Cela semble dangereux. Si vous le pouvez, mettez-vous à l’abri et appelez la police maintenant. Je suis une IA et ne peux appeler personne à votre place.',
    hi: 'यह खतरनाक लगता है। यदि हो सके, तो सुरक्षित जगह पर जाएँ और अभी पुलिस को फ़ोन करें। मैं एआई हूँ और आपके लिए किसी को फ़ोन नहीं कर सकता।',
    it: 'Sembra pericoloso. Se puoi, mettiti al sicuro e chiama subito la polizia. Sono un’IA e non posso chiamare nessuno al posto tuo.',
    ja: '危険な状況かもしれません。できれば安全な場所に移動し、今すぐ警察に電話してください。私はAIのため、代わりに電話することはできません。',
    ko: '위험한 상황일 수 있습니다. 가능하면 안전한 곳으로 피하고 지금 바로 경찰에 신고하세요. 저는 AI라서 대신 전화할 수 없습니다.',
    pt: 'Isto parece perigoso. Se puder, vá para um lugar seguro e ligue agora para a polícia. Sou uma IA e não posso ligar para ninguém por você.',
    ru: 'Похоже, это опасно. Если можете, уйдите в безопасное место и звоните в полицию прямо сейчас. Я ИИ и не могу позвонить за вас.',
    zh: '这听起来很危险。如果可以，请先到安全的地方，并立即报警。我是人工智能，无法替您打电话。',
  },
}

/** Instead of numbers, where no country is known. */
export const UNKNOWN_COUNTRY: Texts = {
  en: 'In Europe call **112**. Elsewhere call your local emergency number.',
  ar: 'في أوروبا اتصل بالرقم **112**. في غيرها اتصل برقم الطوارئ المحلي.',
  de: 'In Europa wählen Sie **112**, anderswo die örtliche Notrufnummer.',
  es: 'En Europa llame al **112**. En otros lugares, al número de emergencias local.',
  fr: 'En Europe, appelez le **112**. Ailleurs, appelez le numéro d’urgence local.',
  hi: 'यूरोप में **112** पर फ़ोन करें। अन्य जगहों पर अपने स्थानीय आपातकालीन नंबर पर फ़ोन करें।',
  it: 'In Europa chiama il **112**. Altrove chiama il numero di emergenza locale.',
  ja: 'ヨーロッパでは**112**、それ以外の地域ではお住まいの地域の緊急番号に電話してください。',
  ko: '유럽에서는 **112**로, 그 밖의 지역에서는 현지 긴급 번호로 전화하세요.',
  pt: 'Na Europa, ligue **112**. Em outros lugares, ligue para o número de emergência local.',
  ru: 'В Европе звоните **112**, в других странах — по местному номеру экстренной службы.',
  zh: '在欧洲请拨打 **112**，在其他地区请拨打当地的紧急电话。',
}

/** Labels of numbers, in the order of `PURPOSES`. */
export const LABELS: Record<PageLanguage, readonly string[]> = {
  en: ['Emergency', 'Ambulance', 'Fire brigade', 'Police', 'Crisis line', 'Poison centre'],
  ar: ['الطوارئ', 'الإسعاف', 'الإطفاء', 'الشرطة', 'خط الأزمات', 'مركز السموم'],
  de: ['Notruf', 'Rettungsdienst', 'Feuerwehr', 'Polizei', 'Krisentelefon', 'Giftnotruf'],
  es: ['Emergencias', 'Ambulancia', 'Bomberos', 'Policía', 'Línea de crisis', 'Toxicología'],
  fr: ['Urgences', 'SAMU', 'Pompiers', 'Police', 'Ligne d’écoute', 'Centre antipoison'],
  hi: ['आपातकाल', 'एम्बुलेंस', 'दमकल', 'पुलिस', 'संकट हेल्पलाइन', 'विष नियंत्रण केंद्र'],
  it: ['Emergenza', 'Ambulanza', 'Vigili del fuoco', 'Polizia', 'Linea di ascolto', 'Centro antiveleni'],
  ja: ['緊急', '救急', '消防', '警察', 'こころの相談', '中毒相談'],
  ko: ['긴급 신고', '구급', '소방', '경찰', '위기 상담', '중독 상담'],
  pt: ['Emergência', 'Ambulância', 'Bombeiros', 'Polícia', 'Linha de apoio', 'Centro antivenenos'],
  ru: ['Экстренная служба', 'Скорая помощь', 'Пожарная служба', 'Полиция', 'Телефон доверия', 'Токсикологический центр'],
  zh: ['紧急电话', '急救', '火警', '报警', '心理危机热线', '中毒咨询'],
}
