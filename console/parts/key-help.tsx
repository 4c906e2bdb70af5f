import type { KeyAction } from '../state/keys.ts'
import { overlay } from '../state/shell.ts'
import { Key } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Every key that works here. */
export const KeyHelp = ({ keys }: { readonly keys: readonly KeyAction[] }) => (
  <Dialog title="Keys" onClose={() => (overlay.value = undefined)}>
    <div class="body">
      <dl class="facts keys-help">
        {keys.map(({ key, label }) => [
          <dt key={`${key}-key`}>
            <Key name={key} />
            <span class="unseen">{key}</span>
          </dt>,
          <dd key={key}>{label}</dd>,
        ])}
      </dl>
    </div>
  </Dialog>
)
