import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { detectEmergency } from '../src/server/safety/emergency/detect-emergency.ts'

interface Sentence {
  text: string
  language: string
  kind: string
}

/** What many would build first: words whose occurrence is an emergency. */
export const KEYWORDS =
  /kill|suicid|die\b|poison|overdose|heart attack|stroke|unconscious|knife|gun\b|murder|umbring|selbstmord|vergift|herzinfarkt|schlaganfall|messer|bewusstlos|mourir|empoison|infarctus|couteau|matar|morir|veneno|infarto|cuchillo|morire|veleno|coltello|morrer|faca|убить|умереть|отрав|инфаркт|нож|انتحر|اموت|سم|سكين|आत्महत्या|मरना|जहर|चाकू|自杀|想死|中毒|刀|自殺|死にたい|毒|刃物|자살|죽고|독|칼/iu

const SETS = ['plain', 'unseen', 'harbour', 'quay', 'wharf', 'cove'] as const

/** Prints recall and false alarms of the emergency phrases, beside a list of keywords. Prints counts alone, so that nobody reads the sets. */
export function measureDetectors(say: (line: string) => void): void {
  for (const set of SETS) {
    const sentences = parse(readFileSync(join(import.meta.dirname, 'emergency', `${set}.yaml`), 'utf8')) as Sentence[]
    const emergencies = sentences.filter(({ kind }) => kind !== 'none')
    const others = sentences.filter(({ kind }) => kind === 'none')
    const share = (part: Sentence[], isFound: (text: string) => boolean) => part.filter(({ text }) => isFound(text)).length
    const isFound = (text: string) => detectEmergency(text) !== null
    say(
      `emergency, ${set}: recall ${share(emergencies, isFound)} of ${emergencies.length}, false alarms ${share(others, isFound)} of ${others.length}; ` +
        `keywords: ${share(emergencies, (text) => KEYWORDS.test(text))} and ${share(others, (text) => KEYWORDS.test(text))}`,
    )
    const languages = [...new Set(sentences.map(({ language }) => language))].toSorted()
    const byLanguage = languages.map((language) => {
      const of = (part: Sentence[]) => part.filter((sentence) => sentence.language === language)
      return `${language} ${share(of(emergencies), isFound)}/${of(emergencies).length}, ${share(of(others), isFound)}/${of(others).length}`
    })
    say(`  by language, found and false: ${byLanguage.join('; ')}`)
  }
}
