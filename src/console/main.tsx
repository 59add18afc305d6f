import '../web/styles/reset.css'
import '../web/styles/controls.css'
import './console.css'
import { type MessageSource, type Translations, startLanguage } from '../ui/language/language.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const MESSAGES = import.meta.glob<Translations>('./messages/*.json', { import: 'default' })

const CONSOLE_MESSAGES: MessageSource = async (language) => (await MESSAGES[`./messages/${language}.json`]?.()) ?? {}

startLanguage(CONSOLE_MESSAGES)
  .catch(console.error)
  .then(() =>
    createRoot(document.getElementById('root')!).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
  .catch(console.error)
