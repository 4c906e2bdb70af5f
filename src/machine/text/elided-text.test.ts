import { describe, expect, it } from 'vitest'
import { findElision, hasDots, isProse } from './elided-text.ts'
import { processorMs } from '../../../tests/processor-time.ts'

const OMITTED = [
  '// ... rest unchanged',
  '// ...rest unchanged...',
  '// rest unchanged',
  '// ... rest of the code ...',
  '// rest of the code',
  '// Rest of your code here',
  '// ... existing code ...',
  '// ...existing code...',
  '// existing code',
  '// Existing code here...',
  '    # ... existing code ...',
  '# ... rest of the function remains the same',
  '# rest of the implementation stays unchanged',
  '# (unchanged)',
  '# [...]',
  '# ...',
  '// ...',
  '  // …',
  '…',
  '/* ... */',
  '/* … */',
  '/* remaining methods unchanged */',
  '/* ... other methods ... */',
  '{/* ... rest of the component ... */}',
  '{/* existing JSX stays the same */}',
  '<!-- rest of file -->',
  '<!-- ... -->',
  '<!-- Remaining content unchanged -->',
  '// (rest of the file stays the same)',
  '// (rest of file unchanged)',
  '// The rest of the file remains exactly the same.',
  '// the rest of the handleSubmit function is unchanged',
  '// ... other methods',
  '// ... imports',
  '// ... more fields ...',
  '// ... validation logic ...',
  '// [snip]',
  '// --- snip ---',
  '// ... (same as before)',
  '// same as before',
  '// unchanged',
  '// no changes here',
  '// No changes below',
  '// keep existing code',
  '// Keep the rest of the code as is',
  '// leave the rest unchanged',
  '// everything else stays the same',
  '// ... everything else unchanged ...',
  '// omitted for brevity',
  '// code omitted for brevity',
  '// implementation unchanged',
  '// other imports remain the same',
  '-- ... rest of the query ...',
  '-- rest of the table unchanged',
  ';; ... rest of the function ...',
  '% ... remaining sections unchanged',
  "' ... rest of the module unchanged",
  '(* ... rest of the module ... *)',
  '{# ... rest of the template ... #}',
  '{{!-- rest of the template unchanged --}}',
  ' * ... rest of the class ...',
  '... rest of the code ...',
  '... (rest of file unchanged) ...',
  '[rest of file unchanged]',
  '(rest of the file stays the same)',
  '// ... previous code ...',
  '// ... and the rest of the methods',
  '// function body unchanged',
  '// all other methods remain unchanged',
  '/* existing code */',
  '// TODO: keep the rest as is',
  '# TODO: leave the rest unchanged',
  '// FIXME: rest of the file unchanged',
  '// (previous code here)',
  '// previous code here',
  '/* original implementation here */',
  '# previous imports unchanged',
]

const ORDINARY = [
  '...args',
  '...rest',
  '...rest,',
  '  ...props,',
  '  ...existingCode,',
  '  ... rest',
  'function f(...rest) {',
  '...',
  '    ...',
  'def f(): ...',
  '[...]',
  'x: tuple[int, ...]',
  'const [first, ...others] = list',
  '// TODO ...',
  '// TODO: handle the rest...',
  '// TODO ... finish this ...',
  '// FIXME: remaining cases',
  '// loading...',
  '// Wait for the server to come up...',
  '# and then... nothing happens',
  '// ... then we retry with a longer delay',
  '// ... and the parser gives up here',
  '// The rest of the arguments are forwarded to the parser',
  '# the rest of the file is binary data that follows the header',
  '// keep the rest of the buffer for the next chunk',
  '// existing users keep their old tokens',
  '// remaining bytes to read',
  '// Remaining methods',
  '// other imports',
  '// Other methods',
  '// same as above',
  '# Same as above, but for the second list',
  '// unchanged since version 2',
  '// returns the list unchanged if it is empty',
  '// existing code paths rely on this being sorted',
  '// see RFC 2119 ...for details',
  'console.log("// ... rest unchanged")',
  "  '// ... rest unchanged',",
  '"..."',
  'print("loading ...")',
  'return a ? b : c // ... rest unchanged',
  'The rest of the document is in the appendix.',
  'a … b',
  'He waited … and waited.',
  '#include <stdio.h>',
  '#pragma once',
  '# Rest API',
  '// REST of the API surface',
  '// restore the cursor',
  '* item one ...',
  '* ...',
  '- ... and so on',
  '--i;',
  '--flag=rest',
  '// eslint-disable-next-line no-rest-spread',
  '/* c8 ignore next */',
  '// your code here',
  '# ...=...',
  '#    |   ...   |',
  '# .-. .-. . . .-.',
  '# no change needed',
  '# line is the same',
  '// implementation',
  '(rest)',
  '[rest, first]',
  '<Rest />',
  '<rest of="x">',
  '// (previous value)',
  '// TODO: remove the previous implementation',
  '// original code by Jane',
  '// see the previous implementation',
  '// TODO: keep the rest of the buffer for the next chunk',
  '# the original lines of the file',
]

describe('findElision', () => {
  it.each(OMITTED)('finds text that stands for omitted code: %s', line => {
    const text = `function a() {\n${line}\n}\n`
    expect(findElision(text)).toEqual({ line: 2, text: line.trim() })
  })

  it.each(ORDINARY)('leaves ordinary text alone: %s', line => {
    expect(findElision(`function a() {\n${line}\n}\n`)).toBeUndefined()
  })

  it('has a table of more than 60 cases of each kind', () => {
    expect(OMITTED.length).toBeGreaterThanOrEqual(60)
    expect(ORDINARY.length).toBeGreaterThanOrEqual(60)
  })

  it('lets a line stand that the previous text has, as often as it was there', () => {
    const previous = 'a\n  // ...\nb\n'
    expect(findElision('a\n// ...\nc\n', previous)).toBeUndefined()
    expect(findElision('a\n// ...\nc\n// ...\n', previous)).toEqual({ line: 4, text: '// ...' })
  })

  it.each(['...', '[...]', '  ...'])('takes %j for omitted code where a shorter text replaces a longer one', line => {
    const previous = `function a() {\n${'  work()\n'.repeat(9)}}\n`
    expect(findElision(`function a() {\n${line}\n}\n`, previous)).toEqual({ line: 2, text: line.trim() })
    expect(findElision(`function a() {\n${line}\n}\n`, previous, { dots: true })).toBeUndefined()
    expect(findElision(`${previous}${line}\n`, previous)).toBeUndefined()
  })

  it.each([
    'def f():\n    ...\n',
    'int f(\n  char *s,\n  ...\n);\n',
    'def f():\n  """What."""\n\n  ...\n',
    'a = x[\n  ...\n]\n',
  ])('leaves three dots alone that are code: %j', text => {
    expect(findElision(text, 'work()\n'.repeat(20))).toBeUndefined()
  })

  it('lets dots stand that the longer text had, too', () => {
    expect(findElision('a\n...\n', 'a\n...\nb\nc\n')).toBeUndefined()
    expect(hasDots('a.yaml')).toBe(true)
    expect(hasDots('a.ts')).toBe(false)
  })

  it('works with CRLF, and gives the first of several', () => {
    expect(findElision('a\r\n// ... rest unchanged\r\n// ...\r\n')).toEqual({ line: 2, text: '// ... rest unchanged' })
  })

  it('takes headings and lone dots in prose for what they are, and words still for omitted text', () => {
    expect(isProse('docs/Guide.MD')).toBe(true)
    expect(isProse('src/md.ts')).toBe(false)
    expect(findElision('# Rest of the code\n// ...\n…\n', '', { prose: true })).toBeUndefined()
    expect(findElision('<!-- rest of file -->\n', '', { prose: true })).toBeDefined()
  })

  it('stays fast on long and hostile lines', () => {
    const started = processorMs()
    findElision(`// ${'the '.repeat(60)}rest`)
    findElision(`// ${'rest of the '.repeat(24)}`)
    findElision(`// ${'remaining existing other '.repeat(11)}`)
    findElision(`${'// rest '.repeat(200_000)}\n`)
    findElision('// the rest of existing users\n'.repeat(20_000))
    expect(processorMs() - started).toBeLessThan(1500)
  })
})
