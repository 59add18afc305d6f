import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { ErrorBoundary } from './app/error-boundary.tsx'
import { PAGE_MESSAGES } from './app/page-messages.ts'
import { start } from './app/start.ts'
import { startLanguage } from '../ui/language/language.ts'
import { applyStoredTheme } from '../ui/theme.ts'

applyStoredTheme()
start().catch((error: unknown) => console.error('The application could not start.', error))
startLanguage(PAGE_MESSAGES)
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
