import { create } from 'zustand'
import { deviceStorage } from './storage/storage.ts'

export type Theme = 'system' | 'light' | 'dark'
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const STORAGE_KEY = 'theme'

export function applyStoredTheme(): void {
  const stored = THEMES.find((theme) => theme === deviceStorage.getItem(STORAGE_KEY))
  if (stored) apply(stored)
}

export const isThemeStored = (): boolean => deviceStorage.getItem(STORAGE_KEY) !== null

export const useTheme = create<Theme>(() => 'system')

export function setTheme(theme: Theme, store: boolean): void {
  apply(theme)
  if (store) deviceStorage.setItem(STORAGE_KEY, theme)
}

function apply(theme: Theme): void {
  useTheme.setState(theme, true)
  // The style sheet's colours depend on the color-scheme property only.
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
}
