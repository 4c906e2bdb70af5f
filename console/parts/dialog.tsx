import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useKeys } from '../state/keys.ts'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly kind?: string
  readonly isTitleHidden?: boolean
}

/** A dialog takes the focus and all keys, and gives the focus back. */
export function Dialog({ title, onClose, children, kind = '', isTitleHidden = false }: DialogProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const first = element.current?.querySelector<HTMLElement>('input, select, textarea, footer button, button')
    ;(first ?? element.current)?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  useKeys([{ key: 'Escape', label: 'close', run: onClose }], { isModal: true })
  return (
    <div class="dialog-back" onClick={({ target, currentTarget }) => target === currentTarget && onClose()}>
      <div
        ref={element}
        class={`dialog ${kind}`}
        role="dialog"
        aria-modal="true"
        aria-label={title}
        tabIndex={-1}
        onKeyDown={event => event.key === 'Tab' && keepInside(event, element.current)}
      >
        {!isTitleHidden && (
          <header>
            <h2>{title}</h2>
          </header>
        )}
        {children}
      </div>
    </div>
  )
}

function keepInside(event: KeyboardEvent, inside: HTMLElement | null): void {
  const all = [...(inside?.querySelectorAll<HTMLElement>('a, button, input, select, textarea, [tabindex="0"]') ?? [])]
  const [first, last] = [all[0], all.at(-1)]
  const edge = event.shiftKey ? first : last
  if (document.activeElement !== edge) return
  event.preventDefault()
  ;(event.shiftKey ? last : first)?.focus()
}
