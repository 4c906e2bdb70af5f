import { useState } from 'preact/hooks'
import { act, wordsOf } from '../api/request.ts'
import type { CallRecord, Envelope } from '../api/shapes.ts'
import { addressOf, go } from '../state/address.ts'
import { say } from '../state/shell.ts'
import { Button } from './button.tsx'
import { toolOf } from './call-words.tsx'

/** What can be done with a call: again, taken back, or made a rule. */
export function CallActions({ call }: { readonly call: CallRecord & { readonly undoneBy?: string } }) {
  const [isBusy, setBusy] = useState(false)
  const { undo, undoneBy, input, tool } = call
  const again = async (): Promise<void> => {
    setBusy(true)
    try {
      const [contract = 'toolwright', name = ''] = tool.split('/')
      const { ok, error, meta } = await act<Envelope>('/v1/calls', { contract, tool: name, input })
      say(ok ? 'It ran again' : `It ran again: ${error?.message ?? ''}`, { isBad: !ok })
      if (meta) go(addressOf('timeline', meta.id))
    } catch (error) {
      say(wordsOf(error), { isBad: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div class="call-actions">
      <Button isSmall isOff={isBusy || input === undefined} onPress={() => void again()}>
        Run again
      </Button>
      {undo !== undefined && undoneBy === undefined && (
        <Button isSmall onPress={() => go(addressOf('changes', undo))}>
          Undo…
        </Button>
      )}
      <Button isSmall onPress={() => go(addressOf('policy', undefined, ruleQuery(call)))}>
        Make a rule
      </Button>
    </div>
  )
}

/** What the form for a rule begins with. */
function ruleQuery(call: CallRecord): Readonly<Record<string, string>> {
  const { command, path } = Object(call.input)
  return {
    add: toolOf(call),
    ...(typeof command === 'string' && { command }),
    ...(typeof path === 'string' && { path }),
  }
}
