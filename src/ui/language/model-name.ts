import { BUILTIN_LABEL } from '../../contract/model-label.ts'
import { t } from './translate.ts'

/** A model's name as visitors read it. Names of providers' models are the same in every language. */
export const modelName = (label: string): string => (label === BUILTIN_LABEL ? t('Built-in assistant') : label)
