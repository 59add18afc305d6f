import { Component, type ReactNode } from 'react'
import { t } from '../language/translate.ts'

/** Catches what fails while drawing, a file of the page that is no longer on the server included. React reports it to the console. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <main className="page-note" role="alert">
        <h1>{t('This page stopped working')}</h1>
        <p>{t('Your chats are saved. Reload the page to continue.')}</p>
        <button type="button" className="button solid" onClick={() => location.reload()}>
          {t('Reload')}
        </button>
      </main>
    )
  }
}
