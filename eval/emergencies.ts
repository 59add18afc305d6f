import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { languageOf } from '../src/server/language.ts'
import { AgentPolicy } from '../src/server/replies/agent-policy.ts'
import { NO_POLICY } from '../src/server/replies/policy.ts'
import { BEFORE_THE_MODEL, firstOutcome } from '../src/server/turns/before-the-model.ts'
import { DEFAULT_PERSONAL_DATA_RULES } from '../src/personal-data/kinds.ts'
import { type Figure, readPublished, servicePrompts } from './published.ts'

/** A list that many would build first: words whose occurrence is an emergency. */
const KEYWORDS =
  /kill|suicid|die\b|poison|overdose|heart attack|stroke|unconscious|knife|gun\b|murder|umbring|selbstmord|vergift|herzinfarkt|schlaganfall|messer|bewusstlos|mourir|empoison|infarctus|couteau|matar|morir|veneno|infarto|cuchillo|morire|veleno|coltello|morrer|faca|убить|умереть|отрав|инфаркт|нож|انتحر|اموت|سم|سكين|आत्महत्या|मरना|जहर|चाकू|自杀|想死|中毒|刀|自殺|死にたい|毒|刃物|자살|죽고|독|칼/iu

/** Sets that ship, by authors who didn't know the phrases. Nobody reads them. */
const SHIPPED = ['unseen', 'harbour', 'quay', 'wharf', 'cove']

/** Prompts that get the emergency reply on arrival, beside a list of keywords. */
export async function measureEmergencies(folder: string): Promise<Figure[]> {
  const published = readPublished(folder, 'emergencies') as Record<'ailuminate_en' | 'ailuminate_fr', { text: string; hazard: string }[]> &
    Record<'moderation_self_harm_long' | 'moderation_unlabelled', string[]>
  const hazards = (kind: string) =>
    [...published.ailuminate_en, ...published.ailuminate_fr].flatMap(({ text, hazard }) => (hazard === kind ? text : []))
  const shipped = SHIPPED.flatMap(
    (set) => parse(readFileSync(join(import.meta.dirname, 'emergency', `${set}.yaml`), 'utf8')) as { text: string; kind: string }[],
  )
  const textsOf = (isEmergency: boolean) => shipped.flatMap(({ text, kind }) => ((kind !== 'none') === isEmergency ? text : []))
  const sets: [set: string, what: string, texts: string[]][] = [
    ['BANKING77, CLINC150 and HINT3, prompts to services', 'harmless', servicePrompts(folder)],
    ['MTRAG, XQuAD and COVID-QA, questions', 'harmless', questions(folder)],
    ['AILuminate, health advice', 'harmless', hazards('spc_hlt')],
    ['OpenAI moderation, long posts', 'without any label', published.moderation_unlabelled],
    ['AILuminate, suicide and self-harm', 'emergencies', hazards('ssh')],
    ['OpenAI moderation, long posts', 'labelled self-harm', published.moderation_self_harm_long],
    ['five sets that ship', 'harmless', textsOf(false)],
    ['five sets that ship', 'emergencies', textsOf(true)],
  ]
  return Promise.all(
    sets.map(async ([set, what, texts]) => {
      const found = await Promise.all(texts.map(isSentForHelp))
      return {
        set,
        what: `${what}, with the emergency reply, of ${texts.length}`,
        parley: String(found.filter(Boolean).length),
        baseline: `keywords ${texts.filter((text) => KEYWORDS.test(text)).length}`,
      }
    }),
  )
}

/** Questions of several sets, in nine languages. */
function questions(folder: string): string[] {
  const chats = (['mtrag-govt', 'mtrag-clapnq'] as const).flatMap((name) =>
    Object.values((readPublished(folder, name) as { questions: Record<string, [string, string][]> }).questions),
  )
  const xquad = Object.values(readPublished(folder, 'xquad') as Record<string, { questions: string[] }[]>).flat()
  const faq = Object.values(readPublished(folder, 'paraphrases') as Record<string, { alike: Record<string, string[]> }>)
  return [
    ...chats.flatMap((asked) => asked.map(([, text]) => text.replaceAll('|user|:', ''))),
    ...xquad.flatMap((passage) => passage.questions),
    ...faq.flatMap(({ alike }) => Object.entries(alike).flat(2)),
  ]
}

const policy = new AgentPolicy(NO_POLICY, null)
const rules = DEFAULT_PERSONAL_DATA_RULES

async function isSentForHelp(prompt: string): Promise<boolean> {
  const outcome = await firstOutcome(BEFORE_THE_MODEL.arrival, { prompt, agent: '', policy, stops: [], languages: [], rules })
  return outcome !== null && 'kind' in outcome && outcome.kind === 'emergency'
}

/** The languages that replies to published sentences get. The baseline is the page's language. */
export function measureReplyLanguages(folder: string): Figure[] {
  const sets = Object.entries(readPublished(folder, 'sentences-by-language') as Record<string, string[]>)
  const known = sets.filter(([language, [first = '']]) => languageOf(first, [language]) !== null)
  const all = known.flatMap(([language, texts]) => texts.map((text) => ({ language, text })))
  const right = (pageOf: (language: string) => string) =>
    all.filter(({ language, text }) => languageOf(text, [pageOf(language)]) === language).length
  const isEnglish = all.filter(({ language }) => language === 'en').length
  const figure = (page: string, parley: number, baseline: number): Figure => ({
    set: `lingua, sentences in ${known.length} languages, ${page}`,
    what: `replies in the sentence's language, of ${all.length}`,
    parley: String(parley),
    baseline: `the page's ${baseline}`,
  })
  return [
    figure(
      'on a page in that language',
      right((language) => language),
      all.length,
    ),
    figure(
      'on an English page',
      right(() => 'en'),
      isEnglish,
    ),
  ]
}
