import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** What a key does where it is pressed. */
export interface KeyAction {
  /** As the browser names it: `j`, `Enter`, `N` with shift. */
  readonly key: string
  readonly label: string
  readonly run: () => void
  /** Named in the foot of the page. */
  readonly shown?: boolean
}

interface Layer {
  keys: readonly KeyAction[]
  readonly isModal: boolean
}

/** The layers of keys, the innermost last: a dialog takes the keys of what is under it. */
const layers = signal<readonly Layer[]>([])

/** The keys that work now, the innermost first. */
export const activeKeys = (): readonly KeyAction[] => {
  const modal = layers.value.findLastIndex(({ isModal }) => isModal)
  const visible = modal >= 0 ? layers.value.slice(modal) : layers.value
  return visible.toReversed().flatMap(({ keys }) => keys)
}

/** Makes keys work while the component is shown. */
export function useKeys(keys: readonly KeyAction[], { isModal = false } = {}): void {
  const { current: layer } = useRef<Layer>({ keys, isModal })
  layer.keys = keys
  const signature = keys.map(({ key, label }) => `${key} ${label}`).join()
  useEffect(() => {
    layers.value = [...layers.peek(), layer]
    return () => {
      layers.value = layers.peek().filter(each => each !== layer)
    }
  }, [layer])
  // The foot of the page names them.
  useEffect(() => {
    layers.value = [...layers.peek()]
  }, [signature])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null

/** Keys that a focused control takes itself. */
const isPressing = (target: EventTarget | null, key: string): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.closest('button, a, summary') !== null

/** Listens for keys. In a field only Escape and the palette's key count. */
export function followKeys(openPalette: () => void): void {
  addEventListener('keydown', event => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      openPalette()
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
    if (isTyping(event.target) && event.key !== 'Escape') return
    if (isPressing(event.target, event.key)) return
    const action = activeKeys().find(({ key }) => key === event.key)
    if (!action) return
    event.preventDefault()
    action.run()
  })
}
