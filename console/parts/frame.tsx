import type { ComponentChildren } from 'preact'
import { addressOf, page, PAGES, type Page } from '../state/address.ts'
import { callsToday, workingNow } from '../state/calls.ts'
import { now } from '../state/clock.ts'
import { activeKeys } from '../state/keys.ts'
import { connection, type Connection } from '../state/live.ts'
import { waiting } from '../state/questions.ts'
import { overlay } from '../state/shell.ts'
import { spending } from '../state/spending.ts'
import { workspace, workspaces } from '../state/workspace.ts'
import type { Meaning } from './badge.tsx'
import { Key } from './button.tsx'
import { PageIcon } from './page-icon.tsx'
import { ageOf } from './times.ts'
import { visibleLine } from './visible-text.ts'

/** What each page is called, and the key that opens it. */
export const PAGE_NAMES: Readonly<Record<Page, readonly [name: string, key: string]>> = {
  inbox: ['Inbox', 'i'],
  timeline: ['Timeline', 't'],
  changes: ['Changes', 'c'],
  policy: ['Policy', 'p'],
  code: ['Code', 'g'],
  memory: ['Memory', 'm'],
  numbers: ['Numbers', '#'],
  tools: ['Tools', 'l'],
}

const ON_PHONE: ReadonlySet<Page> = new Set(['inbox', 'timeline', 'changes'])

/** What stands around every page. */
export const Frame = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="frame">
    <Top />
    <Side />
    <main class="main" aria-label={PAGE_NAMES[page.value][0]}>
      {children}
    </main>
    <Foot />
  </div>
)

const Top = () => (
  <header class="top">
    <a class="brand" href={addressOf('inbox')} aria-label="Toolwright">
      <img src="/mark.svg" alt="" />
      <span>Toolwright</span>
    </a>
    <div class="place cut">
      {visibleLine(workspace.value)} / <b>{PAGE_NAMES[page.value][0]}</b>
    </div>
    <button type="button" class="search" onClick={() => (overlay.value = 'palette')}>
      <span>Search calls, files, rules, commands</span>
      <Key name={navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'} />
    </button>
    <Live />
  </header>
)

const Live = () => {
  const [meaning, words] = connectionWords(connection.value, now.value)
  return (
    <span class="live" role="status">
      <span class={`dot ${meaning}`} aria-hidden="true" />
      {words}
    </span>
  )
}

function connectionWords(at: Connection, time: number): readonly [Meaning, string] {
  if (at.state === 'live') return ['allowed', 'live']
  if (at.state === 'connecting') return ['quiet', 'connecting']
  if (at.state === 'reconnecting') return ['asked', `reconnecting in ${ageOf(at.at - time)}`]
  return ['refused', `offline for ${ageOf(time - at.since)}: what you see is as of then`]
}

const Side = () => (
  <nav class="side" aria-label="Pages">
    <ul class="pages">
      {PAGES.map(each => (
        <li key={each} class={ON_PHONE.has(each) ? 'on-phone' : ''}>
          <a href={addressOf(each)} {...(page.value === each && { 'aria-current': 'page' as const })}>
            <PageIcon page={each} />
            <span class="label">{PAGE_NAMES[each][0]}</span>
            {each === 'inbox' && waiting.value.length > 0 ? (
              <span class="hint count asked">{waiting.value.length}</span>
            ) : (
              <span class="hint" aria-hidden="true">
                {PAGE_NAMES[each][1].toUpperCase()}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
    <h2>Workspaces</h2>
    <ul class="wide-only">
      {workspaces.value.map(({ name, root }) => (
        <li key={name}>
          <a
            class="entry"
            href={`${addressOf(page.value)}${workspaces.value.length > 1 ? `?workspace=${encodeURIComponent(name)}` : ''}`}
            title={visibleLine(root)}
          >
            <span class={`dot ${name === workspace.value ? 'allowed' : 'quiet'}`} aria-hidden="true" />
            <span class="label">{visibleLine(name)}</span>
          </a>
        </li>
      ))}
    </ul>
    <Working />
  </nav>
)

const Working = () => {
  const names = workingNow(now.value)
  if (names.length === 0) return null
  return (
    <>
      <h2>Working now</h2>
      <ul class="wide-only">
        {names.map(name => (
          <li key={name} class="entry">
            <span class="dot allowed" aria-hidden="true" />
            <span class="label">{visibleLine(name)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

const Foot = () => (
  <footer class="foot">
    <span>{waiting.value.length} waiting</span>
    <span>
      {callsToday.value.toLocaleString('en')} {callsToday.value === 1 ? 'call' : 'calls'} today
    </span>
    {spending.value !== undefined && <span>budget: {spending.value}</span>}
    <span class="keys">
      {activeKeys()
        .filter(({ shown }) => shown)
        .slice(0, 5)
        .map(({ key, label }) => (
          <span key={key}>
            <Key name={key} /> {label}
          </span>
        ))}
      <span>
        <Key name="?" /> all keys
      </span>
    </span>
  </footer>
)
