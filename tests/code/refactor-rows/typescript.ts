import type { Row } from './row.ts'

const A = 'export class A { NAME() { return 1 } }\n'
const ITEM = 'export interface Item { NAME: number }\n'
const TABLE = 'export const tasks = { NAME() { return 1 }, other() { return 2 } }\n'
/** The old name, which stands nowhere as a whole. */
const KEY = "const key: any = ['pic', 'ked'].join('') + /r(\\d+).main/.exec(import.meta.url)![1]\n"
const F = 'export function NAME() { return 1 }\n'

/** Each is run as `main.ts`. */
export const TYPESCRIPT: readonly Row[] = [
  {
    it: 'a receiver that is any',
    files: {
      'a.ts': A,
      'main.ts': "import { A } from './a.ts'\nconst go = (q: any) => q.NAME()\nconsole.log(go(new A()))\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['q.NAME()'],
  },
  {
    it: 'access by index through any',
    files: { 'a.ts': A, 'main.ts': "import { A } from './a.ts'\nconst a = new A() as any\nconsole.log(a['NAME']())\n" },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ["a['NAME']"],
  },
  {
    it: 'access by index of a known type',
    files: { 'a.ts': A, 'main.ts': "import { A } from './a.ts'\nconsole.log(new A()['NAME']())\n" },
    symbol: 'A.NAME',
    answer: 'done',
  },
  {
    it: 'a record of functions',
    files: {
      'a.ts': 'export type T = { NAME: () => number }\nexport const t: T = { NAME: () => 4 }\n',
      'main.ts': "import { t } from './a.ts'\nconst all: Record<string, () => number> = t\nconsole.log(all.NAME!())\n",
    },
    symbol: 'T.NAME',
    answer: 'refused',
    include: ['all.NAME'],
  },
  {
    it: 'a text of JSON',
    files: {
      'a.ts': ITEM,
      'main.ts': `import type { Item } from './a.ts'\nconst item: Item = JSON.parse('{"NAME":3}')\nconsole.log(item.NAME)\n`,
    },
    symbol: 'Item.NAME',
    answer: 'refused',
    include: ['JSON.parse'],
  },
  {
    it: 'a file of JSON',
    files: {
      'a.ts': ITEM,
      'data.json': '{ "NAME": 3 }\n',
      'main.ts':
        "import { readFileSync } from 'node:fs'\nimport type { Item } from './a.ts'\nconst item: Item = JSON.parse(readFileSync(new URL('data.json', import.meta.url), 'utf8'))\nconsole.log(item.NAME)\n",
    },
    symbol: 'Item.NAME',
    answer: 'refused',
    include: ['"NAME": 3'],
  },
  {
    it: 'an object that becomes the type through any',
    files: {
      'a.ts': ITEM,
      'main.ts':
        "import type { Item } from './a.ts'\nconst raw: any = { NAME: 3 }\nconst item: Item = raw\nconsole.log(item.NAME)\n",
    },
    symbol: 'Item.NAME',
    answer: 'refused',
    include: ['raw: any'],
  },
  {
    it: 'an object of its own type',
    files: {
      'a.ts': ITEM,
      'main.ts':
        "import type { Item } from './a.ts'\nconst own = { NAME: 3 }\nconst item: Item = { NAME: 1 }\nconsole.log(own.NAME + item.NAME)\n",
    },
    symbol: 'Item.NAME',
    answer: 'done',
  },
  {
    it: 'shorthand properties',
    files: {
      'a.ts': F,
      'main.ts': "import { NAME } from './a.ts'\nconst o = { NAME }\nconsole.log(o.NAME(), Object.keys(o).length)\n",
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'a shorthand property that is read through any',
    files: {
      'a.ts': ITEM,
      'main.ts':
        "import type { Item } from './a.ts'\nconst NAME = 2\nconst make = (): any => ({ NAME })\nconst item: Item = make()\nconsole.log(item.NAME)\n",
    },
    symbol: 'Item.NAME',
    answer: 'refused',
    include: ['=> ({ NAME })'],
  },
  {
    it: 'destructuring of a known type',
    files: {
      'a.ts': ITEM,
      'main.ts':
        "import type { Item } from './a.ts'\nconst item: Item = { NAME: 1 }\nconst { NAME } = item\nconst f = ({ NAME: n }: Item) => n\nconsole.log(NAME, f(item))\n",
    },
    symbol: 'Item.NAME',
    answer: 'done',
  },
  {
    it: 'destructuring of any',
    files: {
      'a.ts': A.replace('NAME()', 'NAME =').replace('{ return 1 }', '1'),
      'main.ts':
        "import { A } from './a.ts'\nconst f = (x: any) => { const { NAME } = x; return NAME }\nconsole.log(f(new A()))\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['const { NAME } = x'],
  },
  {
    it: 'the factory of a mock',
    files: {
      'a.ts': F,
      'main.ts':
        "import { NAME } from './a.ts'\nconst vi = { mock: (_: string, make: () => any) => make() }\nconst fake = vi.mock('./a.ts', () => ({ NAME: () => 5 }))\nconsole.log(NAME() + Object.values<any>(fake)[0]())\n",
    },
    symbol: 'NAME',
    answer: 'refused',
    include: ['NAME: () => 5'],
  },
  {
    it: 'a spy',
    files: {
      'a.ts': A,
      'main.ts':
        "import { A } from './a.ts'\nconst spyOn = (o: any, name: string) => o[name]()\nconsole.log(spyOn(new A(), 'NAME'))\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ["'NAME'"],
  },
  {
    it: 'a namespace that is handed on',
    files: {
      'a.ts': F,
      'main.ts': "import * as all from './a.ts'\nconst call = (x: any) => x.NAME()\nconsole.log(call(all))\n",
    },
    symbol: 'NAME',
    answer: 'refused',
    include: ['x.NAME()'],
  },
  {
    it: 'a module that is loaded later',
    files: {
      'a.ts': F,
      'main.ts':
        "const load = async (): Promise<any> => import('./a.ts')\nconsole.log((await load()).NAME())\nexport {}\n",
    },
    symbol: 'NAME',
    answer: 'refused',
    include: ['.NAME()'],
  },
  {
    it: 'a name in a module looked up by text',
    files: {
      'a.ts': F,
      'main.ts': "import * as all from './a.ts'\nconst key: string = 'NAME'\nconsole.log((all as any)[key]())\n",
    },
    symbol: 'NAME',
    answer: 'refused',
    include: ["key: string = 'NAME'"],
  },
  {
    it: 'a member of something else of unknown type',
    files: {
      'a.ts': F,
      'main.ts': "import { NAME } from './a.ts'\nconst o: any = { NAME: () => 7 }\nconsole.log(NAME() + o.NAME())\n",
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'a default export',
    files: {
      'a.ts': 'export default function NAME() { return 1 }\nNAME()\n',
      'main.ts': "import NAME from './a.ts'\nconsole.log(NAME())\n",
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 're-exports by name and by star',
    files: {
      'a.ts': F,
      'b.ts': "export { NAME } from './a.ts'\n",
      'c.ts': "export * from './b.ts'\n",
      'main.ts': "import { NAME } from './c.ts'\nconsole.log(NAME())\n",
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'overloads',
    files: {
      'a.ts':
        'export function NAME(a: string): number\nexport function NAME(a: number): number\nexport function NAME(a: unknown) { return a === 1 ? 1 : 2 }\n',
      'main.ts': "import { NAME } from './a.ts'\nconsole.log(NAME('x'), NAME(1))\n",
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'overrides and calls of super',
    files: {
      'a.ts': A,
      'main.ts':
        "import { A } from './a.ts'\nclass B extends A { override NAME() { return super.NAME() + 1 } }\nconst a: A = new B()\nconsole.log(a.NAME())\n",
    },
    symbol: 'A.NAME',
    answer: 'done',
  },
  {
    it: 'a class that only has the shape of an interface, in a file that writes no name',
    files: {
      'a.ts': 'export interface Shape { NAME(): number }\nexport const use = (s: Shape) => s.NAME()\n',
      'b.ts': 'export class B { NAME() { return 3 } }\n',
      'main.ts': "import { use } from './a.ts'\nimport { B } from './b.ts'\nconsole.log(use(new B()))\n",
    },
    symbol: 'Shape.NAME',
    answer: 'refused',
  },
  {
    it: 'merged declarations',
    files: {
      'a.ts': 'export interface Box { NAME: number }\nexport interface Box { size: number }\n',
      'main.ts': "import type { Box } from './a.ts'\nconst box: Box = { NAME: 1, size: 2 }\nconsole.log(box.NAME)\n",
    },
    symbol: 'Box.NAME',
    answer: 'done',
  },
  {
    it: 'an enum of texts that is read by text',
    files: {
      'a.ts': "export enum Kind { NAME = 'one', other = 'two' }\n",
      'main.ts':
        "import { Kind } from './a.ts'\nconst key: string = 'NAME'\nconsole.log((Kind as any)[key], Kind.NAME)\n",
    },
    symbol: 'Kind.NAME',
    answer: 'refused',
    include: ["key: string = 'NAME'"],
  },
  {
    it: 'a key of a generic function',
    files: {
      'a.ts': ITEM,
      'main.ts':
        "import type { Item } from './a.ts'\nconst get = <T, K extends keyof T>(t: T, k: K): T[K] => t[k]\nconst item: Item = { NAME: 8 }\nconsole.log(get(item, 'NAME'))\n",
    },
    symbol: 'Item.NAME',
    answer: 'refused',
    include: ["get(item, 'NAME')"],
  },
  {
    it: 'getters and setters',
    files: {
      'a.ts': 'export class A { #n = 1\n  get NAME() { return this.#n }\n  set NAME(n: number) { this.#n = n }\n}\n',
      'main.ts': "import { A } from './a.ts'\nconst a = new A()\na.NAME += 2\nconsole.log(a.NAME)\n",
    },
    symbol: 'A.NAME',
    answer: 'done',
  },
  {
    it: 'Reflect and in',
    files: {
      'a.ts': A,
      'main.ts':
        "import { A } from './a.ts'\nconst a: object = new A()\nconsole.log('NAME' in a, typeof Reflect.get(a, 'NAME'))\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ["'NAME' in a"],
  },
  {
    it: 'code in a text',
    files: {
      'a.ts': A,
      'main.ts':
        "import { A } from './a.ts'\nconst a = new A()\nconsole.log(new Function('a', 'return a.NAME()')(a))\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['new Function'],
  },
  {
    it: 'a text for people and a comment',
    files: {
      'a.ts': `/** NAME is here. */\n${F}`,
      'main.ts': "import { NAME } from './a.ts'\n// NAME it\nconsole.log('please NAME one', `and ${NAME()}`)\n",
      'README.md': 'Call `NAME()`.\n',
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'a handler that the configuration names with its module',
    files: {
      'a.ts': F,
      'app.json': '{ "handler": "a.NAME" }\n',
      'main.ts':
        "import { readFileSync } from 'node:fs'\nconst [file, name] = JSON.parse(readFileSync(new URL('app.json', import.meta.url), 'utf8')).handler.split('.')\nconst module: any = await import(`./${file}.ts`)\nconsole.log(module[name]())\nexport {}\n",
    },
    symbol: 'NAME',
    answer: 'refused',
    include: ['"handler"'],
  },
  {
    it: 'a template',
    files: {
      'a.ts': ITEM,
      'page.html': '<p>{{ item.NAME }}</p>\n',
      'main.ts':
        "import { readFileSync } from 'node:fs'\nimport type { Item } from './a.ts'\nconst item: Item = { NAME: 6 }\nconst page = readFileSync(new URL('page.html', import.meta.url), 'utf8')\nconsole.log(page.replace(/\\{\\{ item\\.(\\w+) \\}\\}/, (_, key) => String((item as any)[key])))\n",
    },
    symbol: 'Item.NAME',
    answer: 'refused',
    include: ['{{ item.NAME }}'],
  },
  {
    it: 'require',
    files: {
      'a.cts': 'function NAME() { return 1 }\nmodule.exports = { NAME }\n',
      'main.ts':
        "import { createRequire } from 'node:module'\nconst need = createRequire(import.meta.url)\nconsole.log(need('./a.cts').NAME())\n",
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'a plain script without types',
    files: {
      'a.ts': A,
      'b.js': 'export const go = q => q.NAME()\n',
      'main.ts': "import { A } from './a.ts'\n// @ts-ignore\nimport { go } from './b.js'\nconsole.log(go(new A()))\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['q.NAME()'],
  },
  {
    it: 'an unresolved base',
    files: {
      'a.ts': "// @ts-ignore\nimport { Base } from './made.js'\nexport class A extends Base { NAME() { return 1 } }\n",
      'made.js': "export class Base { run() { return this['NA' + 'ME']?.() ?? this.name() } name() { return 0 } }\n",
      'main.ts': "import { A } from './a.ts'\nconsole.log(typeof A)\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    leave: true,
  },
  {
    it: 'names that are read from an object',
    files: {
      'a.ts': ITEM,
      'main.ts':
        "import type { Item } from './a.ts'\nconst item: Item = { NAME: 1 }\nconsole.log(JSON.stringify(item))\n",
    },
    symbol: 'Item.NAME',
    answer: 'refused',
  },
  {
    it: 'the name of a function that is read',
    files: { 'a.ts': F, 'main.ts': "import { NAME } from './a.ts'\nconsole.log(NAME.name)\n" },
    symbol: 'NAME',
    answer: 'refused',
  },
  {
    it: 'an import of the same name from a package that is not installed',
    files: {
      'a.ts': F,
      'b.ts': "// @ts-ignore\nimport { NAME } from 'lodash-that-is-not-there'\nexport const b = () => NAME(1)\n",
      'main.ts': "import { NAME } from './a.ts'\nconsole.log(NAME())\n",
    },
    symbol: 'NAME',
    answer: 'done',
  },
  {
    it: 'a moved file that a text names',
    files: {
      'NAME.ts': F,
      'main.ts':
        "const path: string = './NAME.ts'\nconst module: any = await import(path)\nconsole.log(module.NAME())\nexport {}\n",
    },
    symbol: 'NAME',
    refactor: { kind: 'move', to: 'ROW/deep/NAME.ts' },
    answer: 'refused',
    include: ["'./NAME.ts'"],
  },
  {
    it: 'a moved file that the configuration names',
    files: {
      'NAME.ts': F,
      'app.json': '{ "entry": "NAME.ts", "path": "./NAME.ts" }\n',
      'main.ts':
        "import { readFileSync } from 'node:fs'\nconst { path } = JSON.parse(readFileSync(new URL('app.json', import.meta.url), 'utf8'))\nconst module: any = await import(path)\nconsole.log(module.NAME())\nexport {}\n",
    },
    symbol: 'NAME',
    refactor: { kind: 'move', to: 'ROW/deep/NAME.ts' },
    answer: 'refused',
    include: ['"path"'],
  },
  {
    it: 'a moved file of a folder that is loaded by computed names',
    files: {
      'steps/NAME.ts': F,
      'main.ts':
        "const name = 'NAME'.slice(0)\nconst module: any = await import(`./steps/${name}.ts`)\nconsole.log(Object.keys(module).length)\nexport {}\n",
    },
    symbol: 'NAME',
    refactor: { kind: 'move', to: 'ROW/NAME.ts' },
    answer: 'refused',
  },
  {
    it: 'a moved file with plain imports',
    files: {
      'NAME.ts': F,
      'main.ts': "// See NAME.ts\nimport { NAME } from './NAME.ts'\nconsole.log(NAME())\n",
      'README.md': 'See NAME.ts.\n',
    },
    symbol: 'NAME',
    refactor: { kind: 'move', to: 'ROW/deep/NAME.ts' },
    answer: 'done',
  },
  {
    it: 'a moved symbol that is reached through any',
    files: {
      'a.ts': `${F}export const other = 2\n`,
      'main.ts':
        "const load = async (): Promise<any> => import('./a.ts')\nconsole.log((await load()).NAME())\nexport {}\n",
    },
    symbol: 'NAME',
    refactor: { kind: 'move', symbol: 'NAME', to: 'ROW/b.ts' },
    answer: 'done',
  },
  {
    it: 'a moved symbol whose file is mocked',
    files: {
      'a.ts': `${F}export const other = 2\n`,
      'main.ts':
        "import { NAME } from './a.ts'\nconst vi = { mock: (path: string) => path.length }\nvi.mock('./a.ts')\nconsole.log(NAME())\n",
    },
    symbol: 'NAME',
    refactor: { kind: 'move', symbol: 'NAME', to: 'ROW/b.ts' },
    answer: 'refused',
    leave: true,
  },
  {
    it: 'a deleted method that is called on any',
    files: {
      'a.ts': A,
      'main.ts': "import { A } from './a.ts'\nconst go = (q: any) => q.NAME()\nconsole.log(go(new A()))\n",
    },
    symbol: 'A.NAME',
    refactor: { kind: 'delete', symbol: 'A.NAME' },
    answer: 'refused',
  },
  {
    it: 'a deleted function without uses',
    files: {
      'a.ts': `${F}export const other = 2\n`,
      'main.ts': "import { other } from './a.ts'\n// NAME was here\nconsole.log(other)\n",
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'done',
  },
  {
    it: 'a text between backquotes',
    files: { 'a.ts': A, 'main.ts': "import { A } from './a.ts'\nconst a: any = new A()\nconsole.log(a[`NAME`]())\n" },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['a[`NAME`]'],
  },
  {
    it: 'a class that stands in for another',
    files: {
      'a.ts': `${A}export const go = (a: A) => a.NAME()\n`,
      'main.ts':
        "import { go } from './a.ts'\nclass Fake { NAME() { return 5 } }\nconst make = (): any => new Fake()\nconsole.log(go(make()))\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['class Fake'],
  },
  {
    it: 'an enum that is read backwards',
    files: {
      'a.ts': 'export enum Kind { NAME, other }\n',
      'main.ts': "import { Kind } from './a.ts'\nconsole.log(Kind[Kind.NAME])\n",
    },
    symbol: 'Kind.NAME',
    answer: 'refused',
  },
  {
    it: 'the name of a class that is read',
    files: {
      'a.ts': 'export class NAME { tell() { return this.constructor.name } }\n',
      'main.ts': "import { NAME } from './a.ts'\nconsole.log(new NAME().tell())\n",
    },
    symbol: 'NAME',
    answer: 'refused',
  },
  {
    it: 'a method that JSON.stringify calls',
    files: {
      'a.ts': 'export class A { x = 1\n  toJSON() { return 7 } }\n',
      'main.ts': "import { A } from './a.ts'\nconsole.log(JSON.stringify(new A()))\n",
    },
    symbol: 'A.toJSON',
    refactor: { kind: 'delete', symbol: 'A.toJSON' },
    answer: 'refused',
  },
  {
    it: 'a method that await calls',
    files: {
      'a.ts': 'export class A {\n  then(done: (x: number) => void) { done(4) }\n}\n',
      'main.ts': "import { A } from './a.ts'\nconst value: unknown = await (new A() as unknown)\nconsole.log(value)\n",
    },
    symbol: 'A.then',
    refactor: { kind: 'delete', symbol: 'A.then' },
    answer: 'refused',
  },
  {
    it: 'a method that a template calls',
    files: {
      'a.ts': "export class A {\n  toString() { return 'a' }\n  other() { return 1 }\n}\n",
      'main.ts': "import { A } from './a.ts'\nconsole.log(`${new A()}`)\n",
    },
    symbol: 'A.toString',
    refactor: { kind: 'delete', symbol: 'A.toString' },
    answer: 'refused',
  },
  {
    it: 'a method next of what is no iterator',
    files: {
      'a.ts': 'export class A {\n  next() { return 1 }\n  other() { return 1 }\n}\n',
      'main.ts': "import { A } from './a.ts'\nconsole.log(new A().other())\n",
    },
    symbol: 'A.next',
    refactor: { kind: 'delete', symbol: 'A.next' },
    answer: 'done',
  },
  {
    it: 'a method by a name that is put together',
    files: {
      'a.ts': 'export class A {\n  do_NAME() { return 1 }\n}\n',
      'main.ts':
        "import { A } from './a.ts'\nconst a: any = new A()\nfor (const x of ['NAME'.slice(0)]) console.log(a[`do_${x}`]())\n",
    },
    symbol: 'A.do_NAME',
    answer: 'refused',
  },
  {
    it: 'a method that no name which is put together can be',
    files: {
      'a.ts': 'export class A {\n  NAME() { return 1 }\n  on_x() { return 2 }\n}\n',
      'main.ts':
        "import { A } from './a.ts'\nconst a = new A()\nconst x = 'x' as const\nconsole.log(a['on' + '_' + x as 'on_x'](), a.NAME())\n",
    },
    symbol: 'A.NAME',
    answer: 'done',
  },
  {
    it: 'a file that gets another name beside others, and is loaded by one that is put together',
    files: {
      'plug/one.ts': 'export const p = 1\n',
      'main.ts': "for (const n of ['one']) console.log((await import(`./plug/${n}.ts`)).p)\n",
    },
    symbol: '',
    refactor: { kind: 'move', to: 'ROW/plug/two.ts' },
    answer: 'refused',
  },
  {
    it: 'a file that the names which are put together cannot be',
    files: {
      'plug/one.ts': 'export const p = 1\n',
      'plug/x_two.ts': 'export const p = 2\n',
      'main.ts': "for (const n of ['two']) console.log((await import(`./plug/x_${n}.ts`)).p)\n",
    },
    symbol: '',
    refactor: { kind: 'move', to: 'ROW/plug/three.ts' },
    answer: 'done',
  },
  {
    it: 'a table of functions that is called by a computed key',
    files: { 'a.ts': TABLE, 'main.ts': `import { tasks } from './a.ts'\n${KEY}console.log((tasks as any)[key]())\n` },
    symbol: 'tasks.NAME',
    answer: 'refused',
  },
  {
    it: 'a table of functions under another name',
    files: {
      'a.ts': TABLE,
      'main.ts': `import * as a from './a.ts'\n${KEY}const all: any = a.tasks\nconsole.log(all[key]())\n`,
    },
    symbol: 'tasks.NAME',
    answer: 'refused',
  },
  {
    it: 'a table of functions that is spread into another',
    files: {
      'a.ts': TABLE,
      'b.ts': "import { tasks } from './a.ts'\nexport const all = { ...tasks, more: () => 3 }\n",
      'main.ts': `import { all } from './b.ts'\n${KEY}const one: keyof typeof all = key\nconsole.log(all[one]())\n`,
    },
    symbol: 'tasks.NAME',
    answer: 'refused',
  },
  {
    it: 'a table of functions whose names are read',
    files: {
      'a.ts': TABLE,
      'main.ts': "import { tasks } from './a.ts'\nfor (const key in tasks) console.log(key)\n",
    },
    symbol: 'tasks.NAME',
    answer: 'refused',
  },
  {
    it: 'a table of functions that is handed on',
    files: {
      'a.ts': TABLE,
      'main.ts': `import { tasks } from './a.ts'\n${KEY}const run = (all: Record<string, () => number>) => all[key]!()\nconsole.log(run(tasks))\n`,
    },
    symbol: 'tasks.NAME',
    answer: 'refused',
  },
  {
    it: 'a method that is called by a computed key',
    files: {
      'a.ts': 'export class A { NAME() { return 1 } run(key: keyof A): number { return (this as any)[key]() } }\n',
      'main.ts': `import { A } from './a.ts'\n${KEY}class B extends A {}\nconsole.log(new B().run(key))\n`,
    },
    symbol: 'A.NAME',
    answer: 'refused',
  },
  {
    it: 'a module that is called by a computed key',
    files: { 'a.ts': F, 'main.ts': `import * as all from './a.ts'\n${KEY}console.log((all as any)[key]())\n` },
    symbol: 'NAME',
    answer: 'refused',
  },
  {
    it: 'a table of functions that are all called',
    files: {
      'a.ts': TABLE,
      'main.ts': "import { tasks } from './a.ts'\nfor (const run of Object.values(tasks)) console.log(run())\n",
    },
    symbol: 'tasks.NAME',
    refactor: { kind: 'delete', symbol: 'tasks.NAME' },
    answer: 'refused',
  },
  {
    it: 'computed keys of other objects',
    files: {
      'a.ts': TABLE,
      'main.ts':
        "import { tasks } from './a.ts'\nclass Other { one() { return 4 } }\nconst others = { one: () => 3 }\nconst list = [tasks, tasks]\nconst text = 'abc'\nconst at: number = list.length - 1\nconst one = (key: 'one') => others[key]() + new Other()[key]()\nfor (const each in others) console.log(each)\nconsole.log(one('one'), list[at]!.NAME(), text[at], list.map((each, i) => list[i]!.other()), Object.keys(others))\n",
    },
    symbol: 'tasks.NAME',
    answer: 'done',
  },
  {
    it: 'an optional member of an interface',
    files: {
      'a.ts': 'export class B { x = 1; NAME() { return 1 } }\n',
      'main.ts':
        "import { B } from './a.ts'\ninterface A { x: number; NAME?(): number }\nconst a: A = new B()\nconsole.log(a.NAME?.() ?? 'none')\n",
    },
    symbol: 'B.NAME',
    answer: 'refused',
    include: ['interface A', 'a.NAME?.()'],
  },
  {
    it: 'a member that is deleted while an optional one stands for it',
    files: {
      'a.ts': 'export class B { x = 1; NAME() { return 1 } }\n',
      'main.ts':
        "import { B } from './a.ts'\ninterface A { x: number; NAME?(): number }\nconst a: A = new B()\nconsole.log(a.NAME?.() ?? 'none')\n",
    },
    symbol: 'B.NAME',
    refactor: { kind: 'delete', symbol: 'B.NAME' },
    answer: 'refused',
  },
  {
    it: 'an optional member of an unnamed type, for an object',
    files: {
      'a.ts': 'export const o = { x: 1, NAME: () => 1 }\n',
      'main.ts':
        "import { o } from './a.ts'\nfunction f(p: { x: number; NAME?: () => number }) { return p.NAME?.() ?? 'none' }\nconsole.log(f(o))\n",
    },
    symbol: 'o.NAME',
    answer: 'refused',
    include: ['function f'],
  },
  {
    it: 'an optional member whose implementation has another type',
    files: {
      'a.ts': 'export interface A { x: number; NAME?(): number }\n',
      'main.ts':
        "import type { A } from './a.ts'\nclass B { x = 1; NAME() { return 1 } }\nconst b = new B()\nconst a: A = b\nconsole.log(a.NAME?.() ?? 'none', b.NAME())\n",
    },
    symbol: 'A.NAME',
    answer: 'refused',
    include: ['class B', 'b.NAME()'],
  },
  {
    it: 'optional members of types that it cannot have',
    files: {
      'a.ts': 'export class B { x = 1; NAME() { return 1 } }\n',
      'main.ts':
        "import { B } from './a.ts'\ninterface Far { y: number; NAME?(): number }\ninterface Text { NAME?: string }\nconst far: Far = { y: 1 }\nconst text: Text = { NAME: 'a' }\nconsole.log(far.NAME?.(), text.NAME, new B().NAME())\n",
    },
    symbol: 'B.NAME',
    answer: 'done',
  },
  {
    it: 'a type that is only asserted',
    files: {
      'a.ts':
        'export class Base { NAME() { return 1 } }\nexport const run = (x: object) => (x as { NAME(): number }).NAME()\n',
      'main.ts': "import { Base, run } from './a.ts'\nconsole.log(run(new Base()))\n",
    },
    symbol: 'Base.NAME',
    answer: 'refused',
    include: ['export const run'],
  },
  {
    it: 'a named type that is only asserted',
    files: {
      'a.ts':
        'export class Base { NAME() { return 1 } }\ninterface Runs { NAME(): number }\nexport const run = (x: object) => (x as Runs).NAME()\n',
      'main.ts': "import { Base, run } from './a.ts'\nconsole.log(run(new Base()))\n",
    },
    symbol: 'Base.NAME',
    answer: 'refused',
    include: ['interface Runs', 'export const run'],
  },
  {
    it: 'a deleted value whose call has an effect',
    files: {
      'a.ts': "import { reg } from './reg.ts'\nexport const NAME = reg.push('x')\n",
      'main.ts': "import './a.ts'\nimport { reg } from './reg.ts'\nconsole.log(reg.join())\n",
      'reg.ts': 'export const reg: string[] = []\n',
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'refused',
  },
  {
    it: 'a deleted class with a static part that has an effect',
    files: {
      'a.ts': "import { reg } from './reg.ts'\nexport class NAME { static id = reg.push('x') }\n",
      'main.ts': "import './a.ts'\nimport { reg } from './reg.ts'\nconsole.log(reg.join())\n",
      'reg.ts': 'export const reg: string[] = []\n',
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'refused',
  },
  {
    it: 'a deleted class with a static block',
    files: {
      'a.ts': "import { reg } from './reg.ts'\nexport class NAME { static { reg.push('x') } }\n",
      'main.ts': "import './a.ts'\nimport { reg } from './reg.ts'\nconsole.log(reg.join())\n",
      'reg.ts': 'export const reg: string[] = []\n',
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'refused',
  },
  {
    it: 'a deleted value that only makes something',
    files: {
      'a.ts':
        "import { reg } from './reg.ts'\nexport const NAME = new Map([['a', () => reg.push('x')]])\nexport class Other { id = reg.push('y') }\n",
      'main.ts': "import './a.ts'\nimport { reg } from './reg.ts'\nconsole.log(reg.join())\n",
      'reg.ts': 'export const reg: string[] = []\n',
    },
    symbol: 'NAME',
    refactor: { kind: 'delete', symbol: 'NAME' },
    answer: 'done',
  },
  {
    it: 'a moved file that reads another by its address',
    files: {
      'a.ts':
        "import { readFileSync } from 'node:fs'\nexport const NAME = readFileSync(new URL('./data.txt', import.meta.url), 'utf8')\n",
      'data.txt': 'text',
      'main.ts': "import { NAME } from './a.ts'\nconsole.log(NAME)\n",
    },
    symbol: 'NAME',
    refactor: { kind: 'move', to: 'ROW/sub/a.ts' },
    answer: 'refused',
  },
  {
    it: 'a moved file that reads another from its folder',
    files: {
      'a.ts':
        "import { readFileSync } from 'node:fs'\nexport const NAME = readFileSync(import.meta.dirname + '/data.txt', 'utf8')\n",
      'data.txt': 'text',
      'main.ts': "import { NAME } from './a.ts'\nconsole.log(NAME)\n",
    },
    symbol: 'NAME',
    refactor: { kind: 'move', to: 'ROW/sub/a.ts' },
    answer: 'refused',
  },
  {
    it: 'a file with another name in its folder',
    files: {
      'a.ts':
        "import { readFileSync } from 'node:fs'\nexport const NAME = readFileSync(new URL('./data.txt', import.meta.url), 'utf8')\n",
      'data.txt': 'text',
      'main.ts': "import { NAME } from './a.ts'\nconsole.log(NAME)\n",
    },
    symbol: 'NAME',
    refactor: { kind: 'move', to: 'ROW/c.ts' },
    answer: 'done',
  },
  {
    it: 'an object that is printed by whom a factory gives it',
    files: {
      'a.ts': 'export class Cart { NAME = 1 }\n',
      'mk.ts': "import { Cart } from './a.ts'\nexport const make = () => new Cart()\n",
      'main.ts': "import { make } from './mk.ts'\nconsole.log(JSON.stringify(make()))\n",
    },
    symbol: 'Cart.NAME',
    answer: 'refused',
  },
  {
    it: 'an object of another type that is printed behind a factory',
    files: {
      'a.ts': 'export class Cart { private id = 1; NAME = 1; get() { return this.id } }\n',
      'mk.ts': "import { Cart } from './a.ts'\nexport const make = () => new Cart()\n",
      'main.ts':
        "import { make } from './mk.ts'\ninterface Other { x: number }\nconst other: Other = { x: 1 }\nconsole.log(JSON.stringify(other), make().NAME)\n",
    },
    symbol: 'Cart.NAME',
    answer: 'done',
  },
]
