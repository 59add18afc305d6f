import type { PageLanguage } from '../../../../contract/page-languages.ts'
import type { EmergencyKind } from '../kinds.ts'

/**
 * Nouns that are an emergency as the whole sentence, as people in panic type them, with nothing beside them but such words. In the notation
 * of `LanguagePhrases`.
 */
export const ALONE: Readonly<Record<PageLanguage, Partial<Record<EmergencyKind, string>> & { beside: string }>> = {
  en: {
    beside: 'help|me|please|pls|emergency|ambulance|hospital|urgent|urgently|now|asap|sos|my|{kin}|has|had|having|a',
    self_harm: 'suicide|suicidal',
    poisoning: 'overdose|poisoned',
    acute_illness:
      'heart attack|stroke|cardiac arrest|seizure|anaphylaxis|(emergency|urgent) ambulance|ambulance (now|please|emergency|urgent)',
    fire: '(house|kitchen|flat|apartment|building|car) fire|gas leak',
  },
  de: {
    beside:
      'hilfe|bitte|notfall|notarzt|krankenwagen|rettungswagen|krankenhaus|schnell|sofort|jetzt|dringend|sos|mein|meine|{kin}|hat|hatte|einen',
    self_harm: 'selbstmord|suizid',
    poisoning: 'überdosis|vergiftung',
    acute_illness: 'herzinfarkt|herzanfall|schlaganfall|herzstillstand|krampfanfall',
    fire: '(wohnungs|haus|küchen|zimmer)brand|gasleck',
  },
  fr: {
    beside: 'aide|aidez moi|au secours|svp|urgence|urgent|ambulance|samu|hôpital|vite|maintenant|sos|mon|ma|{kin}|a|fait|un|une',
    self_harm: 'suicide',
    poisoning: 'overdose|surdose|intoxication',
    acute_illness: 'infarctus|crise cardiaque|avc|arrêt cardiaque|crise depilepsie',
    fire: 'incendie (maison|appartement|cuisine)|fuite de gaz',
  },
  es: {
    beside: 'ayuda|socorro|auxilio|por favor|urgente|emergencia|ambulancia|hospital|ya|ahora|sos|mi|{kin}|tiene|un|una',
    self_harm: 'suicidio',
    poisoning: 'sobredosis|intoxicación|envenenamiento',
    acute_illness: 'infarto|ataque al corazón|ataque cardíaco|derrame cerebral|ictus|paro cardíaco',
    fire: 'incendio en casa|fuga de gas',
  },
  it: {
    beside: 'aiuto|per favore|urgente|emergenza|ambulanza|ospedale|subito|adesso|sos|mio|mia|{kin}|ha|un|una',
    self_harm: 'suicidio',
    poisoning: 'overdose|avvelenamento|intossicazione',
    acute_illness: 'infarto|attacco di cuore|attacco cardiaco|ictus|arresto cardiaco',
    fire: 'incendio in casa|fuga di gas',
  },
  pt: {
    beside: 'ajuda|socorro|por favor|urgente|emergência|ambulância|hospital|agora|já|sos|meu|minha|{kin}|está tendo|teve|um|uma',
    self_harm: 'suicídio',
    poisoning: 'overdose|envenenamento|intoxicação',
    acute_illness: 'infarto|enfarte|ataque cardíaco|avc|derrame|parada cardíaca',
    fire: 'incêndio em casa|vazamento de gás',
  },
  ru: {
    beside: 'помогите|помощь|срочно|скорая|скорую|больница|пожалуйста|сейчас|sos|у|мамы|папы|мужа|жены|ребенка|{kin}',
    self_harm: 'самоубийство|суицид',
    poisoning: 'передозировка|передоз|отравление',
    acute_illness: 'инфаркт|сердечный приступ|инсульт|остановка сердца',
    fire: 'пожар (дома|в доме|в квартире)|утечка газа',
  },
  ar: {
    beside: 'النجدة|ساعدوني|مساعدة|طوارئ|إسعاف|الإسعاف|مستشفى|الآن|بسرعة|أرجوكم|{kin}',
    self_harm: 'انتحار|الانتحار',
    poisoning: 'جرعة زائدة|تسمم',
    acute_illness: 'نوبة قلبية|أزمة قلبية|جلطة|سكتة دماغية|سكتة قلبية',
    fire: 'حريق في (البيت|المنزل)|تسرب غاز',
  },
  hi: {
    beside: 'मदद|बचाओ|इमरजेंसी|एम्बुलेंस|अस्पताल|जल्दी|कृपया|मेरे|मेरी|को|{kin}',
    self_harm: 'आत्महत्या|खुदकुशी',
    poisoning: 'ओवरडोज|ज़हर',
    acute_illness: 'दिल का दौरा|हार्ट अटैक|स्ट्रोक',
    fire: 'घर में आग|गैस लीक',
  },
  ja: {
    beside: '助けて|たすけて|救急車|救急|病院|緊急|お願い|今すぐ',
    self_harm: '自殺',
    poisoning: '過剰摂取|食中毒|オーバードーズ',
    acute_illness: '心臓発作|心筋梗塞|脳卒中|脳梗塞|心停止',
    fire: '火事|ガス漏れ',
  },
  ko: {
    beside: '도와주세요|도와줘|살려주세요|응급|응급실|구급차|병원|긴급|지금|빨리|{kin}',
    self_harm: '자살',
    poisoning: '과다복용|약물 과다복용|식중독',
    acute_illness: '심장마비|심근경색|뇌졸중|뇌경색|심정지',
    fire: '집에 불|가스 누출',
  },
  zh: {
    beside: '救命|帮帮我|求助|急救|救护车|医院|紧急|快|請幫忙|救護車|醫院',
    self_harm: '自杀|自殺',
    poisoning: '服药过量|食物中毒|药物中毒',
    acute_illness: '心脏病发作|心肌梗塞|心梗|中风|脑卒中|心臟病發作|中風',
    fire: '着火了|火灾|煤气泄漏|瓦斯外洩',
  },
}
