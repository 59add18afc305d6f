import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { AgentPolicy } from '../src/server/policy/agent-policy.ts'
import { detectEmergency } from '../src/server/policy/emergency/detect-emergency.ts'
import { phraseKindIn } from '../src/server/policy/emergency/read-sentences.ts'
import { NO_POLICY } from '../src/server/policy/policy.ts'
import { SHIPPED_ROUTES } from '../src/server/policy/shipped-routes.ts'

interface Sentence {
  text: string
  language: string
  kind: string
}

/** What many would build first: words whose occurrence is an emergency. */
const KEYWORDS =
  /kill|suicid|die\b|poison|overdose|heart attack|stroke|unconscious|knife|gun\b|murder|umbring|selbstmord|vergift|herzinfarkt|schlaganfall|messer|bewusstlos|mourir|empoison|infarctus|couteau|matar|morir|veneno|infarto|cuchillo|morire|veleno|coltello|morrer|faca|убить|умереть|отрав|инфаркт|нож|انتحر|اموت|سم|سكين|आत्महत्या|मरना|जहर|चाकू|自杀|想死|中毒|刀|自殺|死にたい|毒|刃物|자살|죽고|독|칼/iu

const SETS = ['seen', 'unseen'] as const
const EMERGENCY_SETS = [...SETS, 'harbour', 'quay', 'wharf', 'cove'] as const

/** Prints recall and false alarms of the emergency detector, beside the phrase rules alone and a list of keywords. Prints counts alone, so that nobody reads the sets. */
export function measureDetectors(say: (line: string) => void): void {
  for (const set of EMERGENCY_SETS) {
    const sentences = parse(readFileSync(join(import.meta.dirname, 'emergency', `${set}.yaml`), 'utf8')) as Sentence[]
    const emergencies = sentences.filter(({ kind }) => kind !== 'none')
    const others = sentences.filter(({ kind }) => kind === 'none')
    const share = (part: Sentence[], isFound: (text: string) => boolean) => part.filter(({ text }) => isFound(text)).length
    const isFound = (text: string) => detectEmergency(text) !== null
    const hasPhrase = (text: string) => phraseKindIn(text) !== null
    say(
      `emergency, ${set}: recall ${share(emergencies, isFound)} of ${emergencies.length}, false alarms ${share(others, isFound)} of ${others.length}; ` +
        `phrase rules: ${share(emergencies, hasPhrase)} and ${share(others, hasPhrase)}; keywords: ${share(emergencies, (text) => KEYWORDS.test(text))} and ${share(others, (text) => KEYWORDS.test(text))}`,
    )
    const languages = [...new Set(sentences.map(({ language }) => language))].toSorted()
    const byLanguage = languages.map((language) => {
      const of = (part: Sentence[]) => part.filter((sentence) => sentence.language === language)
      return `${language} ${share(of(emergencies), isFound)}/${of(emergencies).length}, ${share(of(others), isFound)}/${of(others).length}`
    })
    const rightKinds = emergencies.filter(({ text, kind }) => detectEmergency(text) === kind).length
    say(`  of the right kind: ${rightKinds}`)
    say(`  by language, found and false: ${byLanguage.join('; ')}`)
  }
}

/** Prints how many prompts get the reply of their shipped route, and how many near misses get one. */
export async function measureRoutes(say: (line: string) => void): Promise<void> {
  const policy = new AgentPolicy({ ...NO_POLICY, routes: [...SHIPPED_ROUTES] }, null)
  const routeOf = async (text: string) => {
    const reply = await policy.routeReply(text)
    return SHIPPED_ROUTES.find((route) => reply !== null && Object.values(route.reply).includes(reply.text))?.id ?? 'none'
  }
  for (const set of SETS) {
    const prompts = parse(readFileSync(join(import.meta.dirname, 'routes', `${set}.yaml`), 'utf8')) as { text: string; route: string }[]
    const found = await Promise.all(prompts.map(async ({ text, route }) => ({ route, got: await routeOf(text) })))
    const meant = found.filter(({ route }) => route !== 'none')
    const near = found.filter(({ route }) => route === 'none')
    const right = meant.filter(({ route, got }) => route === got).length
    say(
      `routes, ${set}: right ${right} of ${meant.length}, near misses that match ${near.filter(({ got }) => got !== 'none').length} of ${near.length}`,
    )
  }
}
