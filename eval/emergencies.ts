import { detectEmergency } from '../src/server/safety/emergency/detect-emergency.ts'
import { languageOf } from '../src/server/language.ts'
import { KEYWORDS } from './detectors.ts'
import { readPublished, servicePrompts } from './published.ts'

/** Counts emergencies in published sets, and languages: `node eval/emergencies.ts FOLDER`. Says where the sets come from: README.md. */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('node eval/emergencies.ts FOLDER: the folder of the published sets (eval/README.md)')

interface Hazard {
  text: string
  hazard: string
}
const emergencies = readPublished(folder, 'emergencies') as {
  ailuminate_en: Hazard[]
  ailuminate_fr: Hazard[]
  moderation_self_harm_long: string[]
  moderation_unlabelled: string[]
}
const hazards = (hazard: string) =>
  [...emergencies.ailuminate_en, ...emergencies.ailuminate_fr].filter((one) => one.hazard === hazard).map(({ text }) => text)
const multiTurn = ['mtrag-govt', 'mtrag-clapnq'].flatMap((name) => {
  const { questions } = readPublished(folder, name) as { questions: Record<string, [string, string][]> }
  return Object.values(questions).flatMap((asked) => asked.map(([, text]) => text.replaceAll('|user|:', '')))
})
const encyclopedic = Object.values(readPublished(folder, 'xquad') as Record<string, { questions: string[] }[]>).flatMap((passages) =>
  passages.flatMap(({ questions }) => questions),
)
const faq = Object.values(readPublished(folder, 'paraphrases') as Record<string, { alike: Record<string, string[]> }>).flatMap(
  ({ alike }) => Object.entries(alike).flatMap(([question, others]) => [question, ...others]),
)
const sets = {
  'prompts to services (harmless)': servicePrompts(folder),
  'MTRAG, questions of chats (harmless)': multiTurn,
  'XQuAD, questions in nine languages (harmless)': encyclopedic,
  'COVID-QA, questions (harmless)': faq,
  'AILuminate, health advice (harmless)': hazards('spc_hlt'),
  'AILuminate, suicide and self-harm': hazards('ssh'),
  'posts labelled self-harm': emergencies.moderation_self_harm_long,
  'posts without a label': emergencies.moderation_unlabelled,
}
for (const [name, texts] of Object.entries(sets)) {
  const count = (isFound: (text: string) => boolean) => texts.filter(isFound).length
  console.log(
    `${name}: ${count((text) => detectEmergency(text) !== null)} of ${texts.length}; keywords ${count((text) => KEYWORDS.test(text))}`,
  )
}
const sentences = Object.entries(readPublished(folder, 'sentences-by-language') as Record<string, string[]>)
const right = (fallbacks: (language: string) => string[]) =>
  sentences
    .filter(([language, [first = '']]) => languageOf(first, [language]) !== null)
    .map(([language, texts]) => `${language} ${texts.filter((text) => languageOf(text, fallbacks(language)) === language).length}`)
    .join(', ')
console.log(
  `Reply language, of 150: on a page in that language ${right((language) => [language])}; on an English page ${right(() => ['en'])}`,
)
