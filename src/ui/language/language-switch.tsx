import { type ChangeEvent, type ReactNode, use } from 'react'
import { chooseLanguage } from './language.ts'
import { type Language, LANGUAGES, nameOf } from './languages.ts'
import { LanguageContext, useTranslate } from './translate.ts'

export function LanguageSwitch(): ReactNode {
  const t = useTranslate()
  const { language } = use(LanguageContext)
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    chooseLanguage(target.value as Language).catch(console.error)
  }
  return (
    <div className="select">
      <select className="button small" aria-label={t('Language')} value={language} onChange={choose}>
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </div>
  )
}
