import { describe, expect, it } from 'vitest'
import { languageNamed } from '../registry.ts'

const script = (name: string, text = '', isMember = true) =>
  languageNamed('typescript').whyImplicit?.({ name, isMember, texts: [text] })
const c = (name: string, ...texts: string[]) => languageNamed('c').whyImplicit?.({ name, isMember: false, texts })

describe('a function that is called without its name', () => {
  it.each([
    'toString',
    'toJSON',
    'valueOf',
    'then',
    'constructor',
    'connectedCallback',
    'attributeChangedCallback',
    'handleEvent',
    'ngOnInit',
    '[Symbol.iterator]',
    '[Symbol.asyncDispose]',
    '[Symbol.toPrimitive]',
  ])('is a method %s of a script', name => {
    expect(script(name)).toBe(`The language calls ${name} without its name being written`)
    expect(script(name, '', false)).toBeUndefined()
  })

  it.each([
    ['next', 'class A implements Iterator<number> {}', 'class Pages {}'],
    ['return', '[Symbol.iterator]() { return this }', 'class A {}'],
    ['render', 'class A extends Component {}', 'class Chart {}'],
    ['_transform', 'class A extends Transform {}', 'class A {}'],
    ['get', 'new Proxy({}, new A())', 'class Store {}'],
  ])('is a method %s only where the file says so', (name, yes, no) => {
    expect(script(name, yes)).toBeDefined()
    expect(script(name, no)).toBeUndefined()
  })

  it.each(['save', 'toText', 'thenRun', 'constructed', 'onNext'])('is not a method %s', name => {
    expect(script(name, 'class A extends B implements Iterator {}')).toBeUndefined()
  })

  it.each([
    '__attribute__((constructor)) static void boot(void) { run(); }',
    '#include <stdio.h>\nstatic void __attribute__((destructor(101))) boot(void) {}',
    'static void boot(void) __attribute__((__constructor__));\nstatic void boot(void) {}',
    '__attribute__((used, section(".init"))) void boot(void) {}',
    '[[gnu::constructor]] void boot() {}',
    '#define INIT __attribute__((constructor))\nINIT static void boot(void) {}',
    'EMSCRIPTEN_KEEPALIVE int boot(void) { return 1; }',
  ])('is one of C by its attribute: %s', text => {
    expect(c('boot', text)).toContain('boot')
    expect(c('boot', 'void boot(void) {}', text)).toContain('boot')
  })

  it('is main, and no function beside one with an attribute', () => {
    expect(c('main', 'int main(void) { return 0; }')).toContain('main')
    expect(c('boot', '__attribute__((constructor)) void first(void) { boot(); }\nvoid boot(void) {}')).toBeUndefined()
    expect(c('boot', '#define INIT __attribute__((constructor))\nvoid boot(void) {}')).toBeUndefined()
    expect(c('boot', 'int used; void boot(int section) {}')).toBeUndefined()
    expect(c('boot', '__attribute__((noinline)) void boot(void) {}')).toBeUndefined()
  })
})
