import { useState } from 'preact/hooks'
import type { AlwaysImpact } from '../../api/shapes.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { visibleLine } from '../../parts/visible-text.ts'
import type { Asked } from '../../state/questions.ts'
import { ImpactWords } from './answer-bar.tsx'

const SCOPES = [
  ['task', 'this task'],
  ['session', 'this session'],
  ['workspace', 'this workspace'],
  ['user', 'all my workspaces'],
] as const

interface AlwaysProps {
  readonly question: Asked
  readonly impact: AlwaysImpact | undefined
  readonly onClose: () => void
  readonly onAlways: (scope: string) => void
}

/** Says what a remembered answer would allow, before it is given. */
export function AlwaysDialog({ question, impact, onClose, onAlways }: AlwaysProps) {
  const [scope, setScope] = useState<string>('workspace')
  return (
    <Dialog title="Always allow calls like this one" onClose={onClose}>
      <div class="body">
        <p>
          The rule: <code>{visibleLine(question.always ?? '')}</code>
        </p>
        {impact && (
          <p class="muted">
            <ImpactWords impact={impact} />
          </p>
        )}
        <label class="field-row">
          <span class="muted">It holds for</span>
          <select class="field" value={scope} onChange={({ currentTarget }) => setScope(currentTarget.value)}>
            {SCOPES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <p class="muted">You can take it back on the page Policy at any time.</p>
      </div>
      <footer>
        <Button meaning="allowed" onPress={() => onAlways(scope)}>
          Always allow
        </Button>
        <Button onPress={onClose} keyName="Escape">
          Close
        </Button>
      </footer>
    </Dialog>
  )
}
