import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { Agents } from '../answering/agents/agents.ts'
import { KnowledgeBase } from './knowledge-base.ts'

/** By language: its document by heading, and what finds each section. */
const DOCUMENTS: Record<string, { title: string; sections: Record<string, [text: string, ...queries: string[]]> }> = {
  arabic: {
    title: 'خدمات البلدية',
    sections: {
      المكتبة: ['المكتبة مفتوحة من الساعة ٩ إلى الساعة ١٧.', 'متى تفتح مكتبة المدينة؟', 'للمكتبات', 'مكتبه'],
      'مسبح المدينة': ['يفتح المسبح في شهر مايو.', 'المسبح متى', 'هل يوجد مسبح؟'],
      الأرشيف: ['الأرشيف في الغرفة ٤٤.', 'ارشيف', 'بالأرشيف', 'الغرفة 44'],
    },
  },
  persian: {
    title: 'خدمات شهرداری',
    sections: {
      کتابخانه‌ها: ['کتابخانه‌های شهر از ساعت ۹ باز هستند.', 'كتابخانه', 'کتابخانه کجاست؟', 'کتابخانه ها'],
      استخر: ['استخر در روز جمعه بسته است.', 'استخرها کی باز می‌شوند؟', 'استخری'],
      'هزینهٔ پارکینگ': ['هزینهٔ پارکینگ ۲۰۰۰ تومان است.', 'هزینه پارکینگ‌ها چقدر است؟', '2000 تومان'],
    },
  },
  hebrew: {
    title: 'שירותי העירייה',
    sections: {
      הספרייה: ['הספרייה פתוחה משעה תשע.', 'מתי נפתחת הספריה?', 'בספריות'],
      'בריכת השחייה': ['בריכת השחייה סגורה ביום שני.', 'איפה הבריכה', 'לבריכות שחיה'],
      חניה: ['החניה מאחורי הבניין.', 'איפה אפשר לחנות? חנייה', 'בחניה'],
    },
  },
  german: {
    title: 'Ämter',
    sections: {
      'Öffnungszeiten des Bürgerbüros': ['Das Bürgerbüro ist ab neun Uhr geöffnet.', 'Oeffnungszeiten Buergerbuero', 'Offnungszeiten'],
      Hundesteuer: ['Die Hundesteuer beträgt 45 Euro.', 'hundesteuern'],
      Abfallgebühren: ['Es kostet 1.234,50 € im Jahr, für Betriebe 2.000 €.', '1234,50', '1 234,50', '2000 Euro'],
    },
  },
  hindi: {
    title: 'नगर सेवा',
    sections: {
      दान: ['दान के लिए कमरा चार में आइए।', 'दान कहाँ करें?'],
      दिन: ['कार्यालय सोमवार के दिन बंद रहता है।', 'दिन'],
      दूध: ['दूध की दुकान सुबह खुलती है।', 'दुकानें कब खुलती हैं?'],
      कर: ['कर का भुगतान बैंक में करें।', 'कर', 'करों का भुगतान'],
      कार: ['कार के लिए पार्किंग पीछे है।', 'कार', 'कारों की पार्किंग'],
    },
  },
  japanese: {
    title: '市役所',
    sections: {
      駐車場: ['駐車場は市役所の裏にあります。', '駐車場はどこですか', '駐車'],
      プール: ['プールは九時に開きます。', 'プールはいつ', 'ぷーる'],
      ごみの出し方: ['ごみは月曜日に出してください。', 'ゴミはいつ出せますか'],
    },
  },
  chinese: {
    title: '市政服务',
    sections: {
      停车场: ['停车场在市政厅后面。', '请问停车场在哪里？', '停车'],
      游泳池: ['游泳池早上九点开门。', '游泳池什么时候开门？', '泳池'],
    },
  },
  korean: {
    title: '시청 안내',
    sections: {
      '주차장은 어디입니까': ['주차장은 시청 뒤에 있습니다.', '주차장이 어디에 있나요?', '주차'],
      '수영장은 언제 엽니까': ['수영장은 오전 아홉 시에 엽니다.', '수영장에 언제 갈 수 있나요?'],
      '도서관은 얼마입니까': ['도서관은 무료입니다.', '도서관 요금', '도서관에서는'],
    },
  },
  thai: {
    title: 'บริการเทศบาล',
    sections: {
      ที่จอดรถ: ['ที่จอดรถอยู่ด้านหลังศาลากลาง', 'จอดรถได้ที่ไหน', 'ลานจอดรถอยู่ที่ไหน'],
      สระว่ายน้ำ: ['สระว่ายน้ำเปิดเวลาเก้าโมง', 'สระว่ายน้ำเปิดเมื่อไหร่', 'ว่ายน้ำ'],
    },
  },
  russian: {
    title: 'Услуги',
    sections: {
      Парковка: ['Парковка находится за ратушей.', 'парковке'],
      Бассейн: ['Бассейн открывается в девять.', 'где бассейн', 'бассейны'],
    },
  },
  turkish: {
    title: 'Isparta belediyesi',
    sections: {
      'Isparta otoparkı': ['Isparta otoparkı saat 9 ile 18 arasında açıktır.', 'ısparta otoparkı ne zaman açık?', 'ISPARTA OTOPARKI'],
      'İstanbul şubesi': ['İstanbul şubesi pazartesi kapalıdır.', 'istanbul şubesi', 'ISTANBUL SUBESI'],
    },
  },
}

let directory: string
let base: KnowledgeBase
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'languages-'))
  for (const [language, { title, sections }] of Object.entries(DOCUMENTS)) {
    const parts = Object.entries(sections).map(([heading, [text]]) => `## ${heading}\n\n${text}`)
    await writeFile(join(directory, `${language}.md`), [`# ${title}`, ...parts].join('\n\n'))
  }
  base = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning: (message) => expect.fail(message) })
})
afterAll(async () => {
  await base.close()
  await rm(directory, { recursive: true })
})

const cases = Object.entries(DOCUMENTS).flatMap(([language, { sections }]) =>
  Object.entries(sections).flatMap(([heading, [, ...queries]]) => queries.map((query) => [language, query, heading] as const)),
)

test.each(cases)('%s: “%s” finds “%s” first, among all languages', async (language, query, heading) => {
  const { passages } = await base.search(query, { folders: ['.'], caller: 'model' })
  expect(passages[0]).toMatchObject({ file: `${language}.md`, heading })
})

test.each([
  ['متى يفتح مسبح المدينة؟', 'يفتح المسبح في شهر مايو.'],
  ['هزینهٔ پارکینگ‌ها چقدر است؟', 'هزینهٔ پارکینگ ۲۰۰۰ تومان است.'],
  ['מתי סגורה בריכת השחיה?', 'בריכת השחייה סגורה ביום שני.'],
  ['दान कहाँ करें?', 'दान के लिए कमरा चार में आइए।'],
  ['駐車場はどこですか', '駐車場は市役所の裏にあります。'],
  ['请问停车场在哪里？', '停车场在市政厅后面。'],
  ['주차장이 어디에 있나요?', '주차장은 시청 뒤에 있습니다.'],
  ['สระว่ายน้ำเปิดเมื่อไหร่', 'สระว่ายน้ำเปิดเวลาเก้าโมง'],
  ['Wann hat das Buergerbuero geoeffnet?', 'Das Bürgerbüro ist ab neun Uhr geöffnet.'],
])('the built-in assistant answers “%s”', async (prompt, sentence) => {
  const agents = await Agents.open({
    directory: join(import.meta.dirname, '../../../agents'),
    model: { kind: 'builtin' },
    knowledgeDirectory: directory,
    installation: { name: 'Parley', retentionDays: 12, contact: 'help@example.org', storage: 'sqlite' },
    onWarning: (message) => expect.fail(message),
  })
  const builder = new MessageBuilder('a')
  const messages: ChatMessage[] = [{ id: 'p', role: 'user', parts: [{ type: 'text', text: prompt }] }]
  for await (const chunk of agents.first.run({ messages, signal: new AbortController().signal })) builder.apply(chunk)
  expect(textOf(builder.finished())).toContain(sentence)
})
