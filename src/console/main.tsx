import '../web/styles/reset.css'
import '../web/styles/controls.css'
import './console.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startLanguage } from '../ui/language/language.ts'
import { App } from './app.tsx'
import { CONSOLE_MESSAGES } from './console-messages.ts'

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
