/** A field may have any name; the environment, modules and other files are outside the input. */
const OUTSIDE = /(?<!")\b(ENV|env)\b|\$\s*__|\b(import|include|modulemeta|get_search_list)\b/

/** Two dots are an operator, and a dot after a number is part of it. */
const FIELDS = /(?<!\.|(?<!\w)\d+)\.[A-Za-z_]\w*/g

/** Reports whether a jq filter accesses anything but its input. */
export const looksOutside = (filter: string): boolean => OUTSIDE.test(withoutNames(filter))

/**
 * Removes names of things in the input or the output. If a comment or an escape may hide a quote, only fields are
 * certain.
 */
function withoutNames(filter: string): string {
  if (/[#\\]/.test(filter)) return filter.replaceAll(FIELDS, '.')
  return withoutKeys(filter.replaceAll(/"[^"]*"/g, '""')).replaceAll(FIELDS, '.')
}

/**
 * Removes keys of objects: `{env}`, `{a: 1, env: 2}`. A comma elsewhere separates filters, as in
 * `{a: if . then 1, env end}`.
 */
function withoutKeys(filter: string): string {
  const open: string[] = []
  let output = ''
  for (let at = 0; at < filter.length; at++) {
    const sign = filter[at] ?? ''
    output += sign
    if ('{[('.includes(sign)) open.push(sign)
    else if ('}])'.includes(sign)) open.pop()
    const key = open.at(-1) !== '{' ? undefined : sign === '{' ? OPENING_KEY : sign === ',' ? LATER_KEY : undefined
    at += key?.exec(filter.slice(at + 1))?.[0].length ?? 0
  }
  return output
}

const OPENING_KEY = /^\s*[A-Za-z_]\w*(?=\s*[:,}])/
const LATER_KEY = /^\s*[A-Za-z_]\w*(?=\s*:)/
