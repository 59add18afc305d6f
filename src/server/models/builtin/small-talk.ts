import { plainLower } from './folding.ts'
import { GREETINGS, type Greeting, type GreetingLanguage } from './languages/greetings.ts'
import type { ReplyLanguage } from './languages/language-rules.ts'

export type SmallTalkTopic = Greeting | 'mood' | 'identity' | 'abilities' | 'agreement' | 'rude' | 'empty'

export interface SmallTalk {
  kind: 'small-talk'
  topic: SmallTalkTopic
  language: GreetingLanguage | undefined
}

type FurtherTopic = 'mood' | 'identity' | 'abilities' | 'agreement' | 'rude'

/** Small talk that is understood in English, German, French and Spanish; `|` between alternatives. */
const FURTHER: Readonly<Record<ReplyLanguage, Readonly<Record<FurtherTopic, string>>>> = {
  en: {
    mood: "how are you|how are you doing|how are you today|how are you doing today|how's it going|how is it going|how do you do|how are things|what's up|whats up|what up|sup|wassup|how r u|how are u|you ok|hru|hows it going|how you doing|are you ok|are you okay",
    identity:
      "who are you|what are you|who r u|what r u|who are u|what is your name|what's your name|whats your name|your name|do you have a name|who made you|who built you|who created you|who programmed you|who developed you|introduce yourself|which model are you|what model are you|which model do you use|what model do you use|which ai model is this|which ai is this|what ai is this|what ai are you|which llm are you|what llm is this|are you the built-in assistant|what exactly are you|who exactly are you|who is this|what is this bot|tell me about yourself|what ai model is this|which model is this",
    abilities:
      "help|help me|can you help|can you help me|i need help|please help|what can you do|what can you do for me|what can you help with|what can you help me with|what can i ask|what can i ask you|what can i ask you about|what do you know|what do you know about|what can you answer|what can you tell me|what are you able to do|what are your abilities|what are your skills|what are your features|what are your capabilities|what are your functions|how can you help|how can you help me|what else can you do|topics|menu|options|commands|what topics do you know|what questions can i ask|what questions can you answer|what can i do here|what are you good at|what do you do|how does this work|what is this for|capabilities|features|what can u do|wat can u do|what can you do here|how do you work|instructions|start|get started|what are you for|what is your purpose|what's your purpose|what kind of questions can i ask",
    agreement:
      "ok|okay|k|kk|great|cool|nice|good|perfect|super|yes|yeah|yep|yup|no|nope|nah|alright|all right|i see|got it|understood|never mind|nevermind|wow|lol|haha|hahaha|test|testing|oh|aha|ah|right|fine|sure thing|makes sense|interesting|awesome|amazing|excellent|good to know|very good|well done|good job|good bot|ok then|okay then|ok great|ok cool|hmm|hm|that's great|that's good|that was helpful|nothing|you're welcome|sorry|my bad|oops|i love you|love it|wonderful|brilliant|exactly|correct|true that|maybe|not really|no problem",
    rude: "fuck you|fuck off|fuck|shit|you suck|you are useless|you're useless|useless|useless bot|you are stupid|you're stupid|stupid|stupid bot|idiot|you idiot|you are an idiot|dumb|you are dumb|you're dumb|dumb bot|shut up|go to hell|asshole|bullshit|crap|this is crap|this sucks|you are bad|bad bot|worst bot ever|terrible|this is useless|i hate you|you are annoying|moron|garbage|trash|what a joke|wtf|damn|hate this|that is useless|that didn't help|that did not help|that doesn't help|this doesn't help|not helpful|you don't understand anything|you don't understand|you know nothing|bitch",
  },
  de: {
    mood: "wie geht's|wie gehts|wie geht es dir|wie geht es ihnen|wie geht's dir|was geht|alles gut|alles klar bei dir|wie gehts dir|na wie gehts",
    identity:
      'welches modell bist du|welche ki bist du|welches sprachmodell bist du|welches modell ist das|welche ki ist das|wer hat dich entwickelt|wer hat dich programmiert|erzahl mir von dir|hast du einen namen|dein name',
    abilities:
      'hilfe|hilf mir|was kannst du|was kannst du alles|was kannst du tun|was konnen sie|was konnen sie tun|was konnen sie fur mich tun|was kannst du fur mich tun|kannst du mir helfen|konnen sie mir helfen|wobei kannst du helfen|wobei kannst du mir helfen|womit kannst du mir helfen|was kann ich dich fragen|was kann ich fragen|was kann ich sie fragen|was weisst du|wie funktioniert das|welche themen kennst du|themen|funktionen|was machst du|wofur bist du da|ich brauche hilfe|welche fragen kann ich stellen|wie kannst du mir helfen|was kann man hier machen|was kannst du so|was geht hier',
    agreement:
      'okay|ja|nein|nee|gut|super|toll|prima|klasse|perfekt|verstanden|alles klar|aha|ach so|achso|schon|egal|stimmt|genau|passt|in ordnung|jo|jep|na gut|sehr gut|interessant|cool|okidoki|ist gut|nicht schlecht|tut mir leid|entschuldigung|nichts|vielleicht|richtig|gut zu wissen|ok gut',
    rude: 'du bist dumm|dumm|idiot|du idiot|scheisse|arschloch|du nervst|halt die klappe|halts maul|halt den mund|nutzlos|du bist nutzlos|blod|du bist blod|mist|so ein mist|das hilft mir nicht|das hilft nicht|bloder bot|fick dich|leck mich|verpiss dich|du kannst nichts|unbrauchbar|du weisst ja gar nichts|schlecht|depp|das ist schlecht|doofer bot|doof|du bist doof',
  },
  fr: {
    mood: 'ca va|comment ca va|comment allez-vous|comment vas-tu|comment tu vas|tu vas bien|quoi de neuf|vous allez bien|comment allez vous',
    identity:
      'quel modele es-tu|quelle ia es-tu|quel modele etes-vous|presente-toi|presentez-vous|qui t’a cree|qui vous a cree|quel est ton nom|quel est votre nom|ton nom',
    abilities:
      'aide|aide-moi|aidez-moi|au secours|que peux-tu faire|que peux tu faire|que pouvez-vous faire|que sais-tu faire|que savez-vous faire|tu peux faire quoi|tu sais faire quoi|qu’est-ce que tu peux faire|qu’est-ce que tu sais faire|qu’est-ce que vous pouvez faire|qu’est-ce que vous savez faire|peux-tu m’aider|pouvez-vous m’aider|tu peux m’aider|comment peux-tu m’aider|comment pouvez-vous m’aider|que puis-je demander|que puis-je te demander|que puis-je vous demander|comment ca marche|quels sujets connais-tu|j’ai besoin d’aide|a quoi sers-tu|a quoi tu sers|tu sers a quoi|quelles sont tes fonctions|sujets|fonctions|en quoi peux-tu m’aider',
    agreement:
      'oui|non|d’accord|super|parfait|genial|bien|tres bien|ok|ah|ah bon|compris|je vois|entendu|cool|top|excellent|interessant|ca marche|nickel|bof|tant pis|dommage|peut-etre|exact|exactement|bien sur|desole|pardon|rien|ok d’accord|bon',
    rude: 'idiot|imbecile|merde|tu es nul|c’est nul|nul|tu es stupide|stupide|ta gueule|ferme-la|va te faire foutre|tu es inutile|inutile|tu sers a rien|connard|putain|con|tu es bete|bete|casse-toi|ca ne m’aide pas|ca n’aide pas|tu comprends rien|tu ne comprends rien|debile|t’es nul|vous etes nul',
  },
  es: {
    mood: 'como estas|como esta|como va|como te va|que pasa|como estas hoy|todo bien|como andas|como le va',
    identity: 'que modelo eres|que ia eres|quien te creo|quien te hizo|presentate|tu nombre|como se llama usted|que modelo es este',
    abilities:
      'ayuda|ayudame|que puedes hacer|que sabes hacer|que puede hacer|que haces|puedes ayudarme|me puedes ayudar|puede ayudarme|en que puedes ayudarme|en que me puedes ayudar|como puedes ayudarme|que puedo preguntar|que puedo preguntarte|que te puedo preguntar|que sabes|como funciona|como funciona esto|necesito ayuda|que temas conoces|temas|opciones|funciones|para que sirves|para que sirve esto|que preguntas puedo hacer|en que puede ayudarme',
    agreement:
      'si|no|vale|bien|muy bien|perfecto|genial|claro|entiendo|entendido|de acuerdo|ok|ya|ah|estupendo|guay|excelente|bueno|interesante|correcto|exacto|da igual|no importa|lo siento|perdon|nada|quizas|tal vez|ya veo|que bien',
    rude: 'idiota|estupido|tonto|eres tonto|eres inutil|inutil|mierda|callate|vete a la mierda|eres estupido|no sirves|no sirves para nada|que asco|imbecil|joder|puta|gilipollas|cabron|eso no ayuda|no me ayuda|no me sirve|eres malo|no entiendes nada|eres un idiota',
  },
}

/** Addresses after a greeting, and laughter. */
const TAILS =
  /(?: (?:there|all|everyone|everybody|bot|assistant|parley|again|man|mate|dude|guys|buddy|friend|zusammen|leute|a tous|a todos|amigo|lol|haha|please|pls|bitte|then|so much|btw|now))+$/
/** A little longer than the longest phrase. */
const MAX_CHARACTERS = 80

const phrases = indexOfPhrases()

/** Which small talk a prompt is, when it is nothing else. A prompt without letters and digits says nothing. */
export function smallTalkOf(prompt: string): SmallTalk | undefined {
  const text = simplified(prompt.slice(0, 4 * MAX_CHARACTERS))
  if (text === '') return { kind: 'small-talk', topic: isThumb(prompt) ? 'agreement' : 'empty', language: undefined }
  if (text.length > MAX_CHARACTERS) return undefined
  for (const candidate of [
    text,
    withoutRepeats(text, 1),
    withoutRepeats(text, 2),
    text.replace(TAILS, ''),
    withoutRepeats(text.replace(TAILS, ''), 1),
  ]) {
    const found = phrases.get(candidate)
    if (found) return { kind: 'small-talk', ...found }
  }
  return greetingAnd(text)
}

/** "hello, how are you", "hi who are you": a greeting before other small talk. */
function greetingAnd(text: string): SmallTalk | undefined {
  const words = text.split(' ')
  for (let first = 1; first <= Math.min(3, words.length - 1); first += 1) {
    const greeting = phrases.get(words.slice(0, first).join(' '))
    const rest = phrases.get(words.slice(first).join(' '))
    if (greeting && ['hello', 'agreement', 'thanks'].includes(greeting.topic) && rest) return { kind: 'small-talk', ...rest }
  }
  return undefined
}

function isThumb(prompt: string): boolean {
  return /[👍👌✅🙏😊🙂😀😃😄❤]/u.test(prompt)
}

/** "hiiii" is "hi", and "helllo" may be "hello". */
function withoutRepeats(text: string, times: number): string {
  return text.replace(/(\p{L})\1{2,}/gu, (_, letter: string) => letter.repeat(times))
}

function simplified(text: string): string {
  return plainLower(text)
    .replace(/[^\p{L}\p{N}\p{M}' -]+/gu, ' ')
    .replace(/^[\s'-]+|[\s'-]+$/g, '')
    .replace(/\s+/g, ' ')
}

function indexOfPhrases(): Map<string, Omit<SmallTalk, 'kind'>> {
  const index = new Map<string, Omit<SmallTalk, 'kind'>>()
  // A phrase of several languages is of the first: English before Spanish.
  const add = (list: string, topic: SmallTalkTopic, language: GreetingLanguage) => {
    for (const phrase of list.split('|')) if (!index.has(simplified(phrase))) index.set(simplified(phrase), { topic, language })
  }
  for (const [language, topics] of Object.entries(GREETINGS) as [GreetingLanguage, (typeof GREETINGS)['en']][])
    for (const [topic, { prompts }] of Object.entries(topics)) add(prompts, topic as Greeting, language)
  for (const [language, topics] of Object.entries(FURTHER) as [ReplyLanguage, (typeof FURTHER)['en']][])
    for (const [topic, prompts] of Object.entries(topics)) add(prompts, topic as FurtherTopic, language)
  return index
}
