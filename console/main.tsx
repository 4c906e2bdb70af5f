import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import { read, Refused, wordsOf } from './api/request.ts'
import { forgetToken, keepToken, sessionToken, takeLink } from './api/session.ts'
import type { CallRecord } from './api/shapes.ts'
import { Console } from './console.tsx'
import { PAGE_NAMES } from './parts/frame.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { followFilters } from './pages/timeline/found-calls.ts'
import { address, followAddresses, page } from './state/address.ts'
import { addCall, loadCalls } from './state/calls.ts'
import { startClock } from './state/clock.ts'
import { followKeys } from './state/keys.ts'
import { connection, follow } from './state/live.ts'
import { notifyOfQuestions } from './state/notifications.ts'
import { loadQuestions, waiting } from './state/questions.ts'
import { overlay } from './state/shell.ts'
import { loadSpending } from './state/spending.ts'
import { applyTheme } from './state/theme.ts'
import { setWorkspaces, several, workspace, type ServedWorkspace } from './state/workspace.ts'

/** Why the sign-in is shown; undefined while there is a session. */
const closedBecause = signal<string | undefined>(undefined)
const isReady = signal(false)

function Root() {
  if (closedBecause.value !== undefined)
    return (
      <SignIn
        why={closedBecause.value}
        onToken={token => {
          keepToken(token)
          void start()
        }}
      />
    )
  return isReady.value ? <Console /> : null
}

async function start(): Promise<void> {
  try {
    await takeLink()
    if (sessionToken() === null) {
      closedBecause.value = ''
      return
    }
    const { workspaces } = await readWorkspaces()
    setWorkspaces(workspaces, address.peek().query['workspace'])
    closedBecause.value = undefined
    isReady.value = true
    void follow({ onOpen: loadAll, onEvent, onEnd: endSession })
  } catch (error) {
    endSession(error)
  }
}

/** Waits for a server that does not answer yet: a page that is opened again must not lose its session. */
async function readWorkspaces(): Promise<{ readonly workspaces: readonly ServedWorkspace[] }> {
  for (;;) {
    try {
      return await read('/v1/workspaces')
    } catch (error) {
      if (error instanceof Refused) throw error
      connection.value = { state: 'reconnecting', at: Date.now() + RETRY_MS }
      isReady.value = true
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }
}

const RETRY_MS = 1500

function endSession(error: unknown): void {
  if (error instanceof Refused && error.status === 401) forgetToken()
  closedBecause.value = wordsOf(error)
}

async function loadAll(): Promise<void> {
  await Promise.all([loadQuestions(), loadCalls(), loadSpending()])
}

function onEvent(name: string, data: unknown): void {
  if (name === 'approvals') void loadQuestions().catch(() => {})
  else if (name === 'call') addCall(data as CallRecord)
  else if (name === 'gap') void loadCalls().catch(() => {})
}

/** Questions of other workspaces have no events here. */
const OTHERS_MS = 3000
setInterval(() => {
  if (several.peek() && connection.peek().state === 'live') void loadQuestions().catch(() => {})
}, OTHERS_MS)

applyTheme()
startClock()
followAddresses()
followKeys(() => (overlay.value = overlay.peek() === 'palette' ? undefined : 'palette'))
followFilters()
notifyOfQuestions()
effect(() => {
  const count = waiting.value.length
  const name = workspace.value === '' ? '' : ` · ${workspace.value}`
  document.title = `${count > 0 ? `(${count}) ` : ''}${PAGE_NAMES[page.value][0]}${name} · Toolwright`
})
const place = document.querySelector('#console')
if (place) {
  place.replaceChildren()
  render(<Root />, place)
}
addEventListener('hashchange', () => location.reload())
void start()
