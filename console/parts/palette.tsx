import { useEffect, useState } from 'preact/hooks'
import { read } from '../api/request.ts'
import type { CallRecord, Envelope } from '../api/shapes.ts'
import { addressOf, go, PAGES } from '../state/address.ts'
import { latestCalls, nameOf } from '../state/calls.ts'
import { activeKeys, type KeyAction } from '../state/keys.ts'
import { waiting } from '../state/questions.ts'
import { overlay } from '../state/shell.ts'
import { switchTheme } from '../state/theme.ts'
import { titleText } from '../pages/inbox/question-words.ts'
import { stateOf, targetOf, toolOf } from './call-words.tsx'
import { Dialog } from './dialog.tsx'
import { PAGE_NAMES } from './frame.tsx'
import { visibleLine } from './visible-text.ts'

interface Entry {
  readonly kind: string
  readonly words: string
  readonly run: () => void
}

const MOST = 40

/** Finds pages, actions, questions, calls, rules and files by typing. */
export function Palette({ keys }: { readonly keys: readonly KeyAction[] }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const files = useFiles(text)
  const close = (): void => {
    overlay.value = undefined
  }
  const entries = entriesFor(text, keys, files)
  const run = (entry: Entry | undefined): void => {
    close()
    entry?.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) {
      event.preventDefault()
      setAt(place => Math.min(Math.max(place + by, 0), entries.length - 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(entries[at])
    }
  }
  return (
    <Dialog title="Palette" onClose={close} kind="palette" isTitleHidden>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={entries.length > 0 ? `palette-${at}` : undefined}
        aria-label="Search calls, files, rules, commands"
        placeholder="Search calls, files, rules, commands"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-entries" role="listbox" aria-label="Found">
        {entries.map((entry, index) => (
          <li key={index} id={`palette-${index}`} role="option" aria-selected={index === at} onClick={() => run(entry)}>
            <span class="kind">{entry.kind}</span>
            <span class="cut">{entry.words}</span>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p class="empty">Nothing fits “{visibleLine(text)}”.</p>}
    </Dialog>
  )
}

function entriesFor(text: string, keys: readonly KeyAction[], files: readonly string[]): readonly Entry[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const all: readonly Entry[] = [
    ...PAGES.map(page => ({ kind: 'page', words: PAGE_NAMES[page][0], run: () => go(addressOf(page)) })),
    ...keys
      .filter(({ label }) => !label.startsWith('move') && label !== 'close')
      .map(({ label, run }) => ({ kind: 'do', words: label.charAt(0).toUpperCase() + label.slice(1), run })),
    { kind: 'do', words: 'Switch between light and dark', run: switchTheme },
    ...waiting.value.map(question => ({
      kind: 'waiting',
      words: titleText(question),
      run: () => go(addressOf('inbox', question.id)),
    })),
    ...(wanted.length > 0 ? latestCalls(3000).map(callEntry) : []),
  ]
  const found = all.filter(({ kind, words }) => wanted.every(word => `${kind} ${words}`.toLowerCase().includes(word)))
  const others = files.map(path => ({
    kind: 'file',
    words: visibleLine(path),
    run: () => go(addressOf('changes', undefined, { blame: path })),
  }))
  const check =
    text.trim() === ''
      ? []
      : [
          {
            kind: 'policy',
            words: `Would “${visibleLine(text.trim())}” be allowed?`,
            run: () => go(addressOf('policy', undefined, { try: text.trim() })),
          },
        ]
  return [...found.slice(0, MOST), ...others, ...check]
}

const callEntry = (call: CallRecord): Entry => ({
  kind: 'call',
  words: `${toolOf(call)} ${targetOf(call)} · ${visibleLine(nameOf(call))} · ${stateOf(call)[1]}`,
  run: () => go(addressOf('timeline', call.id)),
})

const FILES = 6
const QUIET_MS = 150

/** Files whose path begins like this, from the index. */
function useFiles(text: string): readonly string[] {
  const [files, setFiles] = useState<readonly string[]>([])
  useEffect(() => {
    setFiles([])
    if (text.trim().length < 2) return
    const timer = setTimeout(() => {
      const query = { by: 'prefix', value: text.trim(), limit: FILES }
      read<Envelope<{ readonly files?: readonly { readonly path: string }[] }>>('/v1/index', query).then(
        ({ data }) => setFiles((data?.files ?? []).map(({ path }) => path).slice(0, FILES)),
        () => {},
      )
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [text])
  return files
}

/** The keys that work on the page under the palette. */
export const keysForPalette = (): readonly KeyAction[] =>
  activeKeys().filter(({ key }, at, all) => all.findIndex(other => other.key === key) === at)
