/** The page of `toolwright serve`: what waits for an answer, and the last calls. Text of others is only ever text. */

const TOKEN = 'toolwright-token'
const MOST_CALLS = 50
const LONGEST_PAUSE_MS = 10_000

const main = document.querySelector('#main')
const place = document.querySelector('#place')
const live = document.querySelector('#live')

/** Creates an element. Strings become text, never markup. */
const element = (name, attributes = {}, ...content) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (value === true) made.setAttribute(key, '')
    else if (value !== false && value !== undefined) made.setAttribute(key, value)
  }
  made.append(...content.flatMap(each => (each === undefined ? [] : [typeof each === 'string' ? visible(each) : each])))
  return made
}

/** Characters that show nothing, or change the order of those beside them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Shows them as what they are, so that a text says what it seems to say. */
const visible = text =>
  text.replace(INVISIBLE, each => (each === '\t' ? each : `\\u{${each.codePointAt(0).toString(16)}}`))

/** A failed request, in the server's words. */
class Refused extends Error {
  constructor(status, { message, hint } = {}) {
    super([message ?? `The server answered ${status}`, hint].filter(Boolean).join('. '))
    this.status = status
  }
}

async function request(method, path, { body, signal } = {}) {
  const token = sessionStorage.getItem(TOKEN)
  const response = await fetch(path, {
    method,
    signal,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.ok) return response
  const { error } = await response.json().catch(() => ({}))
  throw new Refused(response.status, error)
}

const ask = async (method, path, body) => (await request(method, path, { body })).json()

/** Takes the code out of the address, so that it is in no history, and exchanges it for a token. */
async function takeLink() {
  const code = new URLSearchParams(location.hash.slice(1)).get('once')
  if (code === null) return
  history.replaceState(null, '', location.pathname)
  const { token } = await ask('POST', '/v1/sessions', { code })
  sessionStorage.setItem(TOKEN, token)
}

function showKey(why) {
  setLive('quiet', 'not connected')
  const field = element('input', { type: 'password', placeholder: 'Token', 'aria-label': 'Token', autocomplete: 'off' })
  const open = event => {
    event.preventDefault()
    sessionStorage.setItem(TOKEN, field.value.trim())
    void start()
  }
  main.replaceChildren(
    element(
      'section',
      { class: 'card key' },
      element('h2', {}, 'Open this page with a link'),
      element(
        'p',
        { class: 'lead' },
        'Run ',
        element('code', {}, 'toolwright serve'),
        ' in the workspace again: it prints a link that works once. Or paste the token of the file that it names.',
      ),
      ...(why ? [element('p', { class: 'refused' }, why)] : []),
      element('form', { onsubmit: open }, field, element('button', { type: 'submit' }, 'Open')),
    ),
  )
}

/** Says how the connection is: a colour and a word. */
function setLive(colour, words) {
  live.replaceChildren(element('span', { class: `dot ${colour}` }, words))
}

async function start() {
  try {
    await takeLink()
    if (!sessionStorage.getItem(TOKEN)) return showKey()
    const { workspaces } = await ask('GET', '/v1/workspaces')
    const wanted = new URLSearchParams(location.search).get('workspace')
    const shown = workspaces.find(({ name }) => name === wanted) ?? workspaces[0]
    showPlace(workspaces, shown)
    await follow(shown.name)
  } catch (error) {
    if (error instanceof Refused) sessionStorage.removeItem(TOKEN)
    showKey(error.message)
  }
}

function showPlace(workspaces, shown) {
  document.title = `${shown.name} · Toolwright`
  const others = workspaces
    .filter(each => each !== shown)
    .map(({ name }) => element('a', { href: `/?workspace=${encodeURIComponent(name)}` }, name))
  place.replaceChildren(shown.root, ...(others.length > 0 ? ['  ', ...others] : []))
}

/** Shows the workspace, and follows what happens there until the page is closed. */
async function follow(workspace) {
  const query = `workspace=${encodeURIComponent(workspace)}`
  const waiting = element('section', {})
  const calls = element('section', {})
  main.replaceChildren(waiting, calls)
  const load = once(async () => {
    const [{ approvals }, { records }] = await Promise.all([
      ask('GET', `/v1/approvals?${query}`),
      ask('GET', `/v1/journal?${query}&type=call&limit=${MOST_CALLS}`),
    ])
    showWaiting(waiting, approvals, workspace)
    showCalls(calls, records)
  })
  for (let pause = 500; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      const { body } = await request('GET', `/v1/events?${query}`)
      await load()
      setLive('allowed', 'live')
      pause = 500
      for await (const name of eventNames(body)) if (name === 'call' || name === 'approvals') void load()
    } catch (error) {
      if (error instanceof Refused && error.status === 401) throw error
    }
    setLive('asked', `reconnecting in ${Math.round(pause / 1000) || 1} s`)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}

/** Runs work at most once at a time, and once more if it was wanted meanwhile. */
function once(work) {
  let running
  let isWanted = false
  return () => {
    isWanted = true
    running ??= (async () => {
      while (isWanted) {
        isWanted = false
        await work()
      }
    })().finally(() => (running = undefined))
    return running
  }
}

async function* eventNames(body) {
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n')
    rest = events.pop()
    for (const event of events) {
      const name = /^event: (.*)$/m.exec(event)?.[1]
      if (name) yield name
    }
  }
}

const cards = new Map()

function showWaiting(section, approvals, workspace) {
  for (const id of cards.keys()) if (!approvals.some(each => each.id === id)) cards.delete(id)
  // A card keeps what the person has typed into it.
  for (const each of approvals) if (!cards.has(each.id)) cards.set(each.id, cardOf(each, workspace))
  const count = approvals.length > 0 ? element('span', { class: 'count' }, String(approvals.length)) : undefined
  const empty = element(
    'p',
    { class: 'empty' },
    'Nothing waits. A question of an agent appears here, with what it would change.',
  )
  section.replaceChildren(
    element('h1', {}, 'Waiting for you', count),
    ...(approvals.length > 0 ? cards.values() : [empty]),
  )
}

function cardOf(approval, workspace) {
  const { id, digest, asker, why, rule, until, changes, whole } = approval
  const reason = element('input', {
    placeholder: 'Reason, given to the model',
    'aria-label': 'Reason',
    maxlength: 2000,
  })
  const note = element('p', { class: 'note muted', role: 'status' })
  const isCut = whole !== undefined || changes.some(({ diff }) => diff === '')
  const answer = async given => {
    for (const button of card.querySelectorAll('button')) button.disabled = true
    const words = reason.value.trim()
    try {
      await ask('POST', `/v1/approvals/${encodeURIComponent(id)}`, {
        workspace,
        answer: given,
        digest,
        ...(words && { reason: words }),
      })
      note.textContent = given === 'yes' ? 'You said yes.' : 'You said no.'
    } catch (error) {
      note.textContent = error.message
    }
  }
  const verb = changes.length > 0 ? 'Land' : 'Allow'
  if (isCut) note.textContent = `Not all of it is shown here, so yes is given in a terminal: toolwright approve ${id}`
  const card = element(
    'article',
    { class: 'card' },
    element('h2', {}, titleOf(approval)),
    factsOf([
      ['from', [asker.client, asker.agent].filter(Boolean).join(' · ') || 'a program'],
      ['task', asker.task === 'default' ? undefined : asker.task],
      ['why', rule ? `${why} (${rule})` : why],
      ['touches', approval.claims.map(({ action, resource }) => `${action} ${resource}`).join(', ')],
      ['until', until && timeOf(until)],
    ]),
    ...(changes.length > 0 ? [diffOf(changes)] : []),
    note,
    element(
      'div',
      { class: 'answers' },
      element('button', { class: 'yes', type: 'button', disabled: isCut, onclick: () => answer('yes') }, verb),
      element('button', { class: 'no', type: 'button', onclick: () => answer('no') }, 'Refuse'),
      reason,
    ),
  )
  return card
}

/** What will happen, large: the command, or the file and how many more. */
function titleOf({ asker, input, changes, claims }) {
  const tool = asker.tool.charAt(0).toUpperCase() + asker.tool.slice(1)
  if (changes.length > 0) {
    const more = changes.length - 1
    return `${tool} ${changes[0].path}${more > 0 ? ` and ${more} more ${more === 1 ? 'file' : 'files'}` : ''}`
  }
  const said = input?.command ?? input?.url ?? claims[0]?.resource ?? ''
  return `${tool} ${said}`
}

function factsOf(rows) {
  const shown = rows.filter(([, value]) => value !== undefined && value !== '')
  return element(
    'dl',
    { class: 'facts' },
    ...shown.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )
}

const LINES = { '+': 'plus', '-': 'minus', '@': 'at' }

function diffOf(changes) {
  const rows = changes.flatMap(({ path, kind, from, diff }) => [
    element('div', { class: 'file' }, `${kind} ${from ? `${from} → ` : ''}${path}`),
    ...diff
      .split('\n')
      .filter(line => line !== '' && !/^(diff --git|index|---|\+\+\+) /.test(line))
      .map(line => element('div', { class: LINES[line[0]] ?? '' }, line)),
  ])
  return element('pre', { class: 'diff' }, ...rows)
}

function showCalls(section, records) {
  const title = element('h1', {}, 'Last calls')
  if (records.length === 0) {
    section.replaceChildren(
      title,
      element('p', { class: 'empty' }, 'No calls yet. The first call of a client appears here.'),
    )
    return
  }
  const head = ['time', 'tool', 'what', 'state', 'took'].map(name => element('th', { class: name }, name))
  section.replaceChildren(
    title,
    element(
      'table',
      { class: 'calls' },
      element('thead', {}, element('tr', {}, ...head)),
      element('tbody', {}, ...records.map(rowOf)),
    ),
  )
}

function rowOf(record) {
  const { tool, startedAt, durationMs, claims = [], message } = record
  const what = record.input?.command ?? (resourcesOf(claims) || (record.input?.path ?? ''))
  const [colour, words] = stateOf(record)
  return element(
    'tr',
    {},
    element('td', { class: 'time faint', title: startedAt }, timeOf(startedAt)),
    element('td', { class: 'tool code' }, tool.replace(/^toolwright\//, '')),
    element('td', { class: 'code', title: what }, what),
    element('td', { class: 'state', title: message }, element('span', { class: `dot ${colour}` }, words)),
    element('td', { class: 'took muted' }, durationOf(durationMs)),
  )
}

/** What is touched, each place once, though a call may read and write it. */
const resourcesOf = claims => [...new Set(claims.map(({ resource }) => resource || '.'))].join(', ')

const REFUSALS = new Set(['denied', 'rejected', 'outside_workspace', 'budget_exceeded'])

/** A verdict is never told by colour alone. */
function stateOf({ ok, code, changed = [], approval, dryRun, withheld }) {
  if (!ok && REFUSALS.has(code)) return ['refused', code === 'rejected' ? 'refused' : code.replaceAll('_', ' ')]
  if (!ok) return ['failed', String(code ?? 'failed').replaceAll('_', ' ')]
  if (withheld !== undefined) return ['quiet', 'withheld by policy']
  if (dryRun) return ['quiet', 'dry run']
  const by = approval ? `, by ${approval.by}` : ''
  if (changed.length > 0)
    return ['changed', `changed ${changed.length} ${changed.length === 1 ? 'file' : 'files'}${by}`]
  return approval ? ['allowed', `allowed${by}`] : ['quiet', 'done']
}

const durationOf = ms => (ms < 100 ? '' : ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`)

function timeOf(iso) {
  const at = new Date(iso)
  const clock = at.toLocaleTimeString('en-GB')
  return at.toDateString() === new Date().toDateString() ? clock : iso.slice(0, 10)
}

void start()
addEventListener('hashchange', () => location.reload())
