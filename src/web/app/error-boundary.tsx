import { Component, type ReactNode } from 'react'
import { t } from '../../ui/language/translate.ts'

/** Catches rendering errors, including files that the server no longer has. React logs them. */
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
