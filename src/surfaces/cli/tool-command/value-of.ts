import { parseOnce } from '../../../kernel/duplicate-key.ts'
import { UsageError } from '../usage.ts'
import type { Parameter } from './parameters.ts'

/** Converts an option's value for the tool. An invalid value is a usage error that names the valid ones. */
export function valueOf(parameter: Parameter, text: string, command: string): unknown {
  const wrong = (wanted: string): UsageError =>
    new UsageError(`${formatOption(parameter)} wants ${wanted}, not '${text}'`, command)
  switch (parameter.kind) {
    case 'integer':
      return numberOf(parameter, text, wrong, { form: /^\d{1,15}$/, unit: 'a whole number', scale: 1 })
    case 'seconds':
      return numberOf(parameter, text, wrong, { form: /^\d{1,9}(?:\.\d{1,3})?$/, unit: 'seconds', scale: 1000 })
    case 'choice': {
      if (parameter.choices?.includes(text)) return text
      throw wrong(`one of ${parameter.choices?.join(', ')}`)
    }
    case 'json': {
      const { value, doubled, problem } = parseOnce(text)
      if (doubled !== undefined) throw new UsageError(`${formatOption(parameter)} ${problem}`, command)
      if (problem !== undefined) throw wrong('JSON')
      return value
    }
    default:
      return text
  }
}

interface NumberForm {
  readonly form: RegExp
  readonly unit: string
  /** Tool units per typed unit. */
  readonly scale: number
}

function numberOf(
  { least = 0, most = Number.MAX_SAFE_INTEGER }: Parameter,
  given: string,
  wrong: (wanted: string) => UsageError,
  { form, unit, scale }: NumberForm,
): number {
  const number = Math.round(Number(given) * scale)
  if (!form.test(given)) throw wrong(unit)
  if (number >= least && number <= most) return number
  const [low, high] = [least, most].map(bound => String(bound / scale))
  throw wrong(most === Number.MAX_SAFE_INTEGER ? `${unit} from ${low} on` : `${unit} from ${low} to ${high}`)
}

/** Formats the option as people type it, and its position if it has one. */
export const formatOption = ({ option }: Pick<Parameter, 'option'>): string => `--${option}`
