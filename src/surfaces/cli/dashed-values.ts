/**
 * Joins text options with values that begin with a dash: `-e -x-` becomes `--regexp=-x-`. The parser would reject these
 * as ambiguous, but no option can stand where a value is due.
 */
export function dashedValues(args: readonly string[], options: Readonly<Record<string, string>>): readonly string[] {
  const joinedArgs: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') return [...joinedArgs, ...args.slice(at)]
    const [, flags = '', last = ''] = /^-(\w*)(\w)$/.exec(arg) ?? []
    const name = options[last] ?? Object.values(options).find(option => arg === `--${option}`)
    const value = args[at + 1]
    if (name === undefined || value === undefined || !value.startsWith('-')) {
      joinedArgs.push(arg)
      continue
    }
    joinedArgs.push(...[...flags].map(flag => `-${flag}`), `--${name}=${value}`)
    at++
  }
  return joinedArgs
}
