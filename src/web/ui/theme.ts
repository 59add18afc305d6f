import { create } from 'zustand'
import { deviceStorage } from '../storage/storage.ts'

export type Theme = 'system' | 'light' | 'dark'
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const STORAGE_KEY = 'theme'

/** Applies the theme that was stored on this device, if any; otherwise the system's stands. */
export function applyStoredTheme(): void {
  const stored = THEMES.find((theme) => theme === deviceStorage.getItem(STORAGE_KEY))
  if (stored) apply(stored)
}

export const useTheme = create<Theme>(() => 'system')

/** Applies a theme, and stores it when `store` allows that. */
export function setTheme(theme: Theme, store: boolean): void {
  apply(theme)
  if (store) deviceStorage.setItem(STORAGE_KEY, theme)
}

function apply(theme: Theme): void {
  useTheme.setState(theme, true)
  // The style sheet's colours follow the color-scheme property alone.
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
}
