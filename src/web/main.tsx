import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { ErrorBoundary } from './app/error-boundary.tsx'
import { start } from './app/start.ts'
import { startLanguage, type Translations } from '../ui/language/language.ts'
import { applyStoredTheme } from '../ui/theme.ts'

const MESSAGES = import.meta.glob<Translations>('../ui/language/messages/*.json', { import: 'default' })

applyStoredTheme()
start().catch((error: unknown) => console.error('The application could not start.', error))
startLanguage(async (language) => (await MESSAGES[`../ui/language/messages/${language}.json`]?.()) ?? {})
  .catch(console.error)
  .then(() =>
    createRoot(document.getElementById('root')!).render(
      <StrictMode>
        <ErrorBoundary>
          <App />
        </ErrorBoundary>
      </StrictMode>,
    ),
  )
  .catch(console.error)
