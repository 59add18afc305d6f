import type { Tour } from './tour.ts'

/** A conversation by voice. The speech is scripted, because this browser has neither ears nor a voice. */
export async function tourVoice({ visitor, look }: Tour): Promise<void> {
  const { page, composer } = visitor
  await page.evaluate(() => {
    class Recognition extends EventTarget {
      start() {
        const results = [[{ transcript: 'How long does green tea steep, and how hot may it be' }]]
        queueMicrotask(() => this.dispatchEvent(Object.assign(new Event('result'), { results })))
      }
      abort() {
        this.dispatchEvent(new Event('end'))
      }
    }
    Object.assign(window, { SpeechRecognition: Recognition })
  })
  // The buttons appear when the message box is drawn again.
  await composer.fill('…')
  await composer.fill('')
  await visitor.button('Voice conversation').click()
  await visitor.button('Speak').click()
  await page.getByRole('group', { name: 'Voice conversation' }).getByText('How long does green tea').waitFor()
  await look('voice-conversation')
  await visitor.button('End conversation').click()
  await page.evaluate(() => Object.assign(window, { SpeechRecognition: undefined }))
}
