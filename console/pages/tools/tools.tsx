import { useEffect, useState } from 'preact/hooks'
import { openEvents } from '../../api/events.ts'
import { read, wordsOf } from '../../api/request.ts'
import { Badge, type Meaning } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Output } from '../../parts/output.tsx'
import { visible, visibleLine } from '../../parts/visible-text.ts'
import { address, addressOf } from '../../state/address.ts'

interface Tool {
  readonly name: string
  readonly description: string
  readonly version: string
  readonly risk: 'read_only' | 'safe_write' | 'dangerous'
  readonly input: { readonly properties?: Readonly<Record<string, Parameter>>; readonly required?: readonly string[] }
}

interface Parameter {
  readonly type?: unknown
  readonly description?: string
}

const RISKS: Readonly<Record<Tool['risk'], readonly [Meaning, string]>> = {
  read_only: ['allowed', 'reads'],
  safe_write: ['asked', 'creates'],
  dangerous: ['asked', 'changes'],
}

/** The tools that agents have here; those that only read can be called. */
export function Tools() {
  const { id } = address.value
  const [tools, setTools] = useState<readonly Tool[]>([])
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  useEffect(() => {
    read<{ tools: readonly Tool[] }>('/v1/tools').then(
      ({ tools: all }) => setTools(all),
      (error: unknown) => setProblem(wordsOf(error)),
    )
  }, [])
  const shown = tools.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(text.toLowerCase()),
  )
  const open = tools.find(({ name }) => name === id)
  return (
    <div class="tools-page">
      <div class="page-head">
        <h1>Tools</h1>
        <span class="muted">{tools.length} that agents can call here</span>
        <span class="end">
          <input
            class="field small"
            aria-label="Search tools"
            placeholder="Search tools"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </span>
      </div>
      <div class={`inbox ${open ? 'at-detail' : 'at-list'}`}>
        <div class="inbox-list">
          <ul class="scroll" aria-label="Tools">
            {problem !== '' && <Empty title="The tools cannot be read">{problem}</Empty>}
            {shown.map(({ name, description, risk }) => (
              <li key={name}>
                <a
                  class="list-row"
                  href={addressOf('tools', name)}
                  {...(name === id && { 'aria-current': 'true' as const })}
                >
                  <span class="first">
                    <span class="what code">{visibleLine(name)}</span>
                    <Badge meaning={RISKS[risk]?.[0] ?? 'quiet'} words={RISKS[risk]?.[1] ?? risk} />
                  </span>
                  <span class="second muted cut">{visibleLine(description)}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
        <div class="inbox-detail scroll">
          {open ? (
            <ToolDetail key={open.name} tool={open} />
          ) : (
            <Empty title="Choose a tool">What it takes and does appears here.</Empty>
          )}
        </div>
      </div>
    </div>
  )
}

function ToolDetail({ tool: { name, description, version, risk, input } }: { readonly tool: Tool }) {
  const { properties = {}, required = [] } = input
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [output, setOutput] = useState('')
  const [isBusy, setBusy] = useState(false)
  const call = async (): Promise<void> => {
    setBusy(true)
    setOutput('')
    try {
      const given = Object.fromEntries(
        Object.entries(values).flatMap(([key, value]) =>
          value === '' ? [] : [[key, parsed(value, properties[key]?.type)]],
        ),
      )
      const events = await openEvents('/v1/calls', {
        signal: new AbortController().signal,
        body: { tool: name, input: given },
      })
      for await (const { name: event, data } of events) {
        const { text, chunk } = Object(data)
        if (event === 'answer') setOutput(before => `${before}${JSON.stringify(data, null, 2)}`)
        else setOutput(before => `${before}${text ?? chunk ?? ''}`)
      }
    } catch (error) {
      setOutput(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section class="tool-detail" aria-labelledby="tool-title">
      <a class="narrow-only back" href={addressOf('tools')}>
        ‹ Tools
      </a>
      <h1 id="tool-title" class="detail-title">
        <code>{visibleLine(name)}</code> <span class="muted version">{version}</span>
      </h1>
      <p>{visible(description)}</p>
      <form
        class="form tool-form"
        onSubmit={event => {
          event.preventDefault()
          void call()
        }}
      >
        {Object.entries(properties).map(([key, { type, description: about }]) => (
          <label key={key}>
            <span>
              <code>{visibleLine(key)}</code>
              {required.includes(key) ? '' : ' (optional)'}
            </span>
            {risk === 'read_only' ? (
              <input
                class="field small code"
                placeholder={visibleLine(about ?? String(type ?? ''))}
                value={values[key] ?? ''}
                onInput={({ currentTarget }) => setValues({ ...values, [key]: currentTarget.value })}
              />
            ) : (
              <span class="muted">{visibleLine(about ?? '')}</span>
            )}
          </label>
        ))}
        {risk === 'read_only' && (
          <p>
            <button type="submit" class="button allowed" disabled={isBusy}>
              Call
            </button>
          </p>
        )}
      </form>
      {output !== '' && <Output title="Answer" text={output} />}
      {output !== '' && (
        <Button isSmall onPress={() => setOutput('')}>
          Close
        </Button>
      )}
    </section>
  )
}

/** A value as its parameter wants it: a number, a list, or the text as it is. */
function parsed(value: string, type: unknown): unknown {
  if (type === 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
