// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Caller, Callers } from '../../src/knowledge/code/types.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode, type OpenedCode } from './opened-code.ts'

const it = needs('bubblewrap', 'clangd')

const DEADLINE = { deadlineMs: 60_000 }
const MANY = 45

const PROJECT: Readonly<Record<string, string>> = {
  'include/shop/price.h': `#ifndef PRICE_H
#define PRICE_H
int price(int item);
#define PRICE_OF(x) price(x)
static inline int twice(int x) { return price(x) + price(x); }
#endif
`,
  'src/price.c': `#include "shop/price.h"
int price(int item) {
  if (item > 9) return price(item - 1);
  return item;
}
`,
  'src/ping.c': `#include "shop/price.h"
int pong(int n);
int ping(int n) { return n ? pong(n) : price(n); }
int pong(int n) { return ping(n - 1); }
`,
  'src/one.c': `#include "shop/price.h"
static int run(void) { return price(1); }
int one(void) { return run(); }
`,
  'src/two.c': `#include <string.h>
#include <shop/price.h>
static int run(void) { return PRICE_OF(2); }
typedef int (*pricing)(int);
static pricing table[] = { price };
int two(void) {
  pricing f = price;
  return run() + f(1) + table[0](2) + twice(3);
}
`,
  // Must not stand in for the one of the system.
  'compat/string.h': '#error not this one\n',
  'src/look_alike.c': `static int price(int item) { return item; }
int other(void) { return price(1); }
`,
  ...Object.fromEntries(
    Array.from({ length: MANY }, (_, at) => [
      `many/m${at}.c`,
      `#include "shop/price.h"\n\nint many${at}(void) {\n  return price(${at});\n}\n`,
    ]),
  ),
}

const shown = ({ callers }: Callers): string[] =>
  callers
    .filter(({ path }: Caller) => !path.startsWith('many/'))
    .map(({ path, line, chain }) => `${path}:${line} ${chain.join(' > ')}`)

const ask = ({ engine }: OpenedCode, depth: number, path = 'src/price.c', name = 'price'): Promise<Callers> =>
  engine.callers({ name, path, depth, ...DEADLINE })

describe('callers in C', () => {
  it('are exact: all of many files, macros, pointers, headers, recursion, cycles, static look-alikes', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const answer = await ask(code, 3)
    expect(answer).toMatchObject({ basis: { by: 'server', server: 'clangd' }, partial: true, unknown: [] })
    expect(answer.possible.map(({ path, line, name, why }) => `${path}:${line} ${name}: ${why}`)).toEqual([
      'src/two.c:5 <module>: passed as a value',
      'src/two.c:7 two: passed as a value',
      'src/two.c:8 two: calls f, which it is assigned to',
    ])
    expect(answer.target).toMatchObject({ name: 'price', kind: 'function', path: 'src/price.c', from: 2, to: 5 })
    expect(answer.target.signature).toBe('int price(int item)')
    expect(shown(answer)).toEqual([
      'include/shop/price.h:5 twice > price',
      'src/one.c:2 run > price',
      'src/one.c:3 one > run > price',
      'src/ping.c:3 ping > price',
      'src/ping.c:4 pong > ping > price',
      'src/price.c:3 price > price',
      'src/two.c:3 run > price',
      'src/two.c:8 two > run > price',
      'src/two.c:8 two > twice > price',
    ])
    const many = answer.callers.filter(({ path }) => path.startsWith('many/'))
    expect(new Set(many.map(({ path, line, name }) => `${path}:${line} ${name}`))).toEqual(
      new Set(Array.from({ length: MANY }, (_, at) => `many/m${at}.c:4 many${at}`)),
    )
    expect(many).toHaveLength(MANY)

    // Two files have a static `run`, and one a `price` of its own.
    expect(shown(await ask(code, 1, 'src/one.c', 'run'))).toEqual(['src/one.c:3 one > run'])
    expect(shown(await ask(code, 1, 'src/look_alike.c'))).toEqual(['src/look_alike.c:2 other > price'])
    // The declaration in the header means the same function.
    expect(shown(await ask(code, 1, 'include/shop/price.h'))).toEqual(shown(await ask(code, 1)))
  })

  it('follow a staged header into the files that include it, and what others change on disk', async () => {
    const { 'include/shop/price.h': header = '', 'src/one.c': one = '', ...more } = PROJECT
    const project = { 'include/shop/price.h': header, 'src/one.c': one, 'src/two.c': more['src/two.c'] ?? '' }
    await using workspace = temporaryWorkspace({ ...project, 'src/price.c': PROJECT['src/price.c'] ?? '' })
    await using code = openedCode(workspace)
    const before = shown(await ask(code, 1))
    expect(before).toEqual([
      'include/shop/price.h:5 twice > price',
      'src/one.c:2 run > price',
      'src/price.c:3 price > price',
      'src/two.c:3 run > price',
    ])
    // A header only says that there is one: without a file, the one with the body is meant.
    const unnamed = await code.engine.callers({ name: 'price', depth: 1, ...DEADLINE })
    expect([unnamed.target.path, shown(unnamed)]).toEqual(['src/price.c', before])
    const other = header.replace('#define PRICE_OF(x) price(x)', '#define PRICE_OF(x) (x)')
    code.stage('include/shop/price.h', other.replace('price(x) + price(x)', 'x + x'))
    code.stage('src/new.c', '#include "shop/price.h"\nint fresh(void) { return price(3); }\n')
    expect(shown(await ask(code, 1))).toEqual([
      'src/new.c:2 fresh > price',
      'src/one.c:2 run > price',
      'src/price.c:3 price > price',
    ])
    code.staging.clear()
    expect(shown(await ask(code, 1))).toEqual(before)

    workspace.write('src/one.c', '#include "shop/price.h"\n\nint changed(void) { return price(1); }\n')
    workspace.write('src/made.c', '#include "shop/price.h"\nint made(void) { return PRICE_OF(1); }\n')
    rmSync(join(workspace.path, 'src/two.c'))
    expect(shown(await ask(code, 1))).toEqual([
      'include/shop/price.h:5 twice > price',
      'src/made.c:2 made > price',
      'src/one.c:3 changed > price',
      'src/price.c:3 price > price',
    ])
  })

  it('heed what the build says of the flags, in a folder that git does not know', async () => {
    await using workspace = temporaryWorkspace({
      '.gitignore': 'build\n',
      'src/a.c': 'int f(int x) { return x; }\n#ifdef FAST\nint fast(void) { return f(1); }\n#endif\n',
      'src/b.c': 'int f(int x);\nint b(void) { return f(2); }\n',
    })
    const command = (file: string) => ({
      directory: workspace.path,
      file: join(workspace.path, file),
      arguments: ['cc', '-DFAST', '-c', file],
    })
    workspace.write('build/compile_commands.json', JSON.stringify(['src/a.c', 'src/b.c'].map(command)))
    await using code = openedCode(workspace)
    expect(shown(await ask(code, 1, 'src/a.c', 'f'))).toEqual(['src/a.c:3 fast > f', 'src/b.c:2 b > f'])
  })
})

describe('callers in C++', () => {
  it('are exact: namespaces, definitions outside of their class, overloads, constructors, lambdas', async () => {
    await using workspace = temporaryWorkspace({
      'include/repo.hpp':
        '#pragma once\nnamespace data {\nclass Repo {\n public:\n  explicit Repo(int n = 0);\n  virtual int get(int id) const;\n  int get(int id, bool force) const { return get(id); }\n};\n}\n',
      'src/repo.cpp':
        '#include "repo.hpp"\nnamespace data {\nRepo::Repo(int n) {}\nint Repo::get(int id) const { return id; }\n}\n',
      'src/cart.cpp':
        '#include <repo.hpp>\nclass Cart {\n  data::Repo repo_;\n public:\n  int total() { return repo_.get(1) + repo_.get(2, true); }\n};\nint run() {\n  Cart c;\n  data::Repo made(3);\n  auto f = [&] { return made.get(4); };\n  return c.total() + f();\n}\n',
      'src/old.cpp':
        'namespace old {\nclass Repo {\n public:\n  int get(int id) { return id; }\n};\nint run() { return Repo().get(1); }\n}\n',
    })
    await using code = openedCode(workspace)
    expect(shown(await ask(code, 1, 'src/repo.cpp', 'Repo.get'))).toEqual([
      'include/repo.hpp:7 data.Repo.get > data.Repo.get',
      'src/cart.cpp:5 Cart.total > data.Repo.get',
      'src/cart.cpp:10 run > data.Repo.get',
    ])
    expect(shown(await ask(code, 1, 'src/old.cpp', 'Repo.get'))).toEqual(['src/old.cpp:6 old.run > old.Repo.get'])
    expect(shown(await ask(code, 1, 'src/cart.cpp', 'Cart.total'))).toEqual(['src/cart.cpp:11 run > Cart.total'])
    for (const path of ['src/repo.cpp', 'include/repo.hpp'])
      expect(shown(await ask(code, 1, path, 'Repo'))).toEqual(['src/cart.cpp:9 run > data.Repo.Repo'])
  })

  it('of a function that runs before main, or is looked up by its name, may be more', async () => {
    await using workspace = temporaryWorkspace({
      'a.c': `#include <dlfcn.h>
int twice(int x) { return x + x; }
int plain(int x) { return x; }
__attribute__((constructor)) static void boot(void) { plain(1); }
int main(void) { return dlsym(0, "twice") != 0; }
`,
    })
    await using code = openedCode(workspace)
    const callersOf = (name: string) => code.engine.callers({ name, path: 'a.c', depth: 1, ...DEADLINE })
    expect((await callersOf('twice')).unknown).toEqual(['It is looked up by its name as a string: a.c:5'])
    expect((await callersOf('boot')).unknown).toEqual([
      'Its attribute constructor has boot called or kept without its name',
    ])
    expect((await callersOf('main')).partial).toBe(true)
    expect((await callersOf('plain')).unknown).toEqual([])
  })
})
