import { effect, signal } from '@preact/signals'

type Theme = 'dark' | 'light'

const KEY = 'toolwright-theme'
const prefersLight = matchMedia('(prefers-color-scheme: light)')
const chosen = signal<Theme | undefined>(themeIn(localStorage.getItem(KEY)))
const system = signal<Theme>(prefersLight.matches ? 'light' : 'dark')

/** Follows the system until a person has chosen. */
export function applyTheme(): void {
  prefersLight.addEventListener('change', ({ matches }) => (system.value = matches ? 'light' : 'dark'))
  effect(() => {
    document.documentElement.dataset['theme'] = chosen.value ?? system.value
  })
}

export function switchTheme(): void {
  chosen.value = (chosen.value ?? system.value) === 'dark' ? 'light' : 'dark'
  localStorage.setItem(KEY, chosen.value)
}

function themeIn(text: string | null): Theme | undefined {
  return text === 'dark' || text === 'light' ? text : undefined
}
