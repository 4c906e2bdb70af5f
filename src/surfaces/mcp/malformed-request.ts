const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/**
 * Returns what is wrong with the outline of a request; undefined if nothing is. The SDK takes such a request for no
 * message at all and answers nothing.
 */
export function outlineProblem(request: object): string | undefined {
  const extra = Object.keys(request).find(key => !MEMBERS.has(key))
  if (extra !== undefined) return `'${extra}' is not a member of a request`
  const { params }: { readonly params?: unknown } = request
  if (params === undefined) return undefined
  if (!isObject(params)) return `'params' must be an object but is ${kindOf(params)}`
  const { _meta: meta, arguments: input } = params
  // The SDK drops this key.
  if (isObject(input) && Object.hasOwn(input, '__proto__')) return "Unknown parameter '__proto__' in 'params.arguments'"
  if (meta === undefined) return undefined
  if (!isObject(meta)) return `'params._meta' must be an object but is ${kindOf(meta)}`
  const { progressToken: token, [RELATED_TASK]: task } = meta
  if (token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token))
    return `'params._meta.progressToken' must be a string or a whole number but is ${kindOf(token)}`
  if (task === undefined || (isObject(task) && typeof task['taskId'] === 'string')) return undefined
  return `'params._meta.${RELATED_TASK}' must be an object with a taskId`
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'number' ? `the number ${value}` : `a ${typeof value}`
}
