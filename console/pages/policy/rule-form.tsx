import { useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { addRule } from './rules.ts'

interface RuleFormProps {
  readonly query: Readonly<Record<string, string>>
  readonly onClose: () => void
}

/** Stores a rule: always allow what a tool does somewhere, or refuse something for every tool. */
export function RuleForm({ query, onClose }: RuleFormProps) {
  const [kind, setKind] = useState<'allow' | 'deny'>('allow')
  const [tool, setTool] = useState(query['add'] ?? 'edit')
  const [target, setTarget] = useState(query['command'] ?? globOf(query['path'] ?? ''))
  const [days, setDays] = useState('90')
  const [why, setWhy] = useState('')
  const isCommand = tool === 'run'
  const store = async (): Promise<void> => {
    const said = { ...(why.trim() !== '' && { why: why.trim() }) }
    const rule =
      kind === 'deny'
        ? { deny: [target.includes(':') ? target : `exec:${target}`] }
        : isCommand
          ? { command: [target], days: Number(days) }
          : { tool, path: [target], days: Number(days) }
    if (await addRule({ ...rule, ...said })) onClose()
  }
  return (
    <Dialog title="Add a rule" onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void store()
        }}
      >
        <div class="body form">
          <label>
            <span>It</span>
            <select
              class="field"
              value={kind}
              onChange={({ currentTarget }) => setKind(currentTarget.value === 'deny' ? 'deny' : 'allow')}
            >
              <option value="allow">always allows</option>
              <option value="deny">refuses, for every tool</option>
            </select>
          </label>
          {kind === 'allow' && (
            <label>
              <span>the tool</span>
              <input class="field code" value={tool} onInput={({ currentTarget }) => setTool(currentTarget.value)} />
            </label>
          )}
          <label>
            <span>{kind === 'deny' ? 'what' : isCommand ? 'the command' : 'in files'}</span>
            <input
              class="field code"
              placeholder={kind === 'deny' ? 'exec:git push or fs:write:src/**' : isCommand ? 'npm test' : 'src/**'}
              value={target}
              onInput={({ currentTarget }) => setTarget(currentTarget.value)}
            />
          </label>
          {kind === 'allow' && (
            <label>
              <span>for days</span>
              <input
                class="field"
                inputMode="numeric"
                value={days}
                onInput={({ currentTarget }) => setDays(currentTarget.value)}
              />
            </label>
          )}
          <label>
            <span>because</span>
            <input class="field" value={why} onInput={({ currentTarget }) => setWhy(currentTarget.value)} />
          </label>
        </div>
        <footer>
          <button type="submit" class="button allowed" disabled={target.trim() === ''}>
            {kind === 'deny' ? 'Store: always refuse' : 'Store: always allow'}
          </button>
          <Button onPress={onClose} keyName="Escape">
            Close
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

/** The files beside one with the same ending. */
const globOf = (path: string): string =>
  path.replace(/[^/]+?(\.\w+)?$/, (_, ending: string | undefined) => `*${ending ?? ''}`)
