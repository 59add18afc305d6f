import { describe, expect, test } from 'vitest'
import { passagesOf } from '../passages.ts'
import { formatOf } from './extract.ts'

/** Text that can be quoted to visitors. */
async function quoted(ending: string, content: Buffer): Promise<string> {
  const document = await formatOf(`a${ending}`)?.read(content)
  return document
    ? passagesOf(`a${ending}`, document)
        .map(({ text }) => text)
        .join('\n')
    : ''
}

describe('encodings of Windows', () => {
  const bytes = (text: string, from: number, letters: string) =>
    Buffer.from([...text].map((letter) => (letters.includes(letter) ? from + letters.indexOf(letter) : letter.charCodeAt(0))))
  const CYRILLIC = 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя'

  test.each([
    ['Cyrillic', bytes('Улица;Цена\nМира;20\n', 0xc0, CYRILLIC), '- Улица: Мира; Цена: 20'],
    ['Central European', Buffer.from('Ulica;Op\xb3ata\nD\xb3uga;20 z\xb3\n', 'latin1'), '- Ulica: Długa; Opłata: 20 zł'],
    ['Turkish', Buffer.from('Sokak;\xdccret\nI\xfe\xfdk;20\n', 'latin1'), '- Sokak: Işık; Ücret: 20'],
    [
      'UTF-8 with a broken character',
      Buffer.concat([Buffer.from(`Büro;Gebühr\n${'Küche;für 3 €\n'.repeat(9)}`), Buffer.from([0xfc])]),
      '- Büro: Küche; Gebühr: für 3 €',
    ],
  ])('%s', async (_, content, line) => {
    expect(await quoted('.csv', content)).toContain(line)
  })

  test.each([
    ['Shift_JIS', '96bc914f2c97bf8be00a4f4e452c8376815b838b2c3530300a', '- 名前: プール; 料金: 500'],
    ['EUC-JP', 'ccbec1b02ccec1b6e20a4f4e452ca5d7a1bca5eb2c3530300a', '- 名前: プール; 料金: 500'],
    ['GBK', 'c3fbb3c62cbcdbb8f10a4f4e452cd3ced3beb3d82c3530300a', '- 名称: 游泳池; 价格: 500'],
    ['Big5', 'a657bad92cbbf9aee60a4f4e452cb4e5aa61a6c02c3530300a', '- 名稱: 游泳池; 價格: 500'],
    ['EUC-KR', 'c0ccb8a72cb0a1b0dd0a4f4e452cbcf6bfb5c0e52c3530300a', '- 이름: 수영장; 가격: 500'],
    ['windows-1251', 'cde0e7e2e0ede8e52cd6e5ede00a4f4e452cc1e0f1f1e5e9ed2c3530300a', '- Название: Бассейн; Цена: 500'],
  ])('%s beside codes of Latin letters', async (_, hex, line) => {
    const [header = '', row = ''] = Buffer.from(hex, 'hex').toString('latin1').split('\n')
    const csv = `SKU,${header}\n${row.replace('ONE', 'POOL-TICKET')}\n`
    expect(await quoted('.csv', Buffer.from(csv, 'latin1'))).toBe(line.replace('- ', '- SKU: POOL-TICKET; '))
  })

  test('UTF-16 without its mark', async () => {
    const little = Buffer.from('Name;Price\nPool;5 €\nSauna;7 €\n', 'utf16le')
    for (const file of [little, Buffer.from(little).swap16()])
      expect(await quoted('.csv', file)).toBe('- Name: Pool; Price: 5 €\n- Name: Sauna; Price: 7 €')
  })

  test.each([
    ['Hebrew', 'f9ed2ceee7e9f80a504f4f4c2de1f8e9ebe42c35300a'],
    ['Arabic', 'c7e1c7d3e32cc7e1d3dad10a504f4f4c2cc7e1e3d3c8cd2c35300a'],
    ['Cyrillic of DOS', '96a5ada03b93aba8e6a00a81a0e1e1a5a9ad3b8ee2aae0eba2a0a5e2e1ef0a'],
    ['that of DOS', '42816e646c65723b471e72810a4d8194683b350a'],
  ])('%s is refused', async (_, hex) => {
    await expect(quoted('.csv', Buffer.from(`41727469636c652c${hex}`, 'hex'))).rejects.toThrow('It is not written in UTF-8.')
  })

  test('a page without a stated encoding', async () => {
    expect(await quoted('.html', Buffer.from('<p>F\xfcr Hunde 12 \x80.</p>', 'latin1'))).toBe('Für Hunde 12 €.')
  })
})
