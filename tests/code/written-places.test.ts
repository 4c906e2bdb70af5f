import { describe, expect, it } from 'vitest'
import type { Locations } from '../../src/knowledge/code/types.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { openedCode } from './opened-code.ts'

const DEADLINE = { deadlineMs: 60_000 }

const PROJECT = {
  'Data/Repo.cs':
    'namespace Shop.Data {\n  public interface IStore { int Get(int id); }\n  public class Repo : IStore {\n    public int Get(int id) { return id; } // Get is described here\n  }\n  public class Fast : Repo { }\n}\n',
  'Old/Repo.cs': 'namespace Shop.Old {\n  public class Repo {\n    public int Get(int id) { return id; }\n  }\n}\n',
  'Ui/View.cs':
    'using Shop.Data;\n\nnamespace Shop.Ui {\n  public class View {\n    private readonly Repo repo = new Repo();\n    private Shop.Old.Repo old;\n\n    public string Show() {\n      old.Get(2);\n      repo.Get(1); repo.Get(2);\n      return "Repo.Get";\n    }\n  }\n}\n',
  'lib/a.php': '<?php\nnamespace App;\nfunction price($x) { return $x; }\n',
  'lib/b.php': '<?php\nuse function App\\price as cost;\nuse App\\Cart;\ncost(1);\n',
  'lib/cart.php': '<?php\nnamespace App;\nclass Cart {}\n',
}

const shown = ({ places, basis, partial }: Locations): string[] => {
  expect({ basis, partial }).toEqual({ basis: { by: 'syntax' }, partial: false })
  return places.map(({ path, line, column, text }) => `${path}:${line}:${column} ${text}`)
}

describe('where no server serves the language the text says', () => {
  it('where a method or class is used: calls, types and imports, not comments, texts or look-alikes', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const ask = async (name: string, path: string) => shown(await code.engine.references({ name, path, ...DEADLINE }))
    expect(await ask('Repo.Get', 'Data/Repo.cs')).toEqual([
      'Ui/View.cs:10:12 repo.Get(1); repo.Get(2);',
      'Ui/View.cs:10:25 repo.Get(1); repo.Get(2);',
    ])
    expect(await ask('Repo.Get', 'Old/Repo.cs')).toEqual(['Ui/View.cs:9:11 old.Get(2);'])
    expect(await ask('Repo', 'Data/Repo.cs')).toEqual([
      'Data/Repo.cs:6:23 public class Fast : Repo { }',
      'Ui/View.cs:5:22 private readonly Repo repo = new Repo();',
      'Ui/View.cs:5:38 private readonly Repo repo = new Repo();',
    ])
    expect(await ask('price', 'lib/a.php')).toEqual([
      'lib/b.php:2:18 use function App\\price as cost;',
      'lib/b.php:2:27 use function App\\price as cost;',
      'lib/b.php:4:1 cost(1);',
    ])
  })

  it('where something is defined, and what implements it; staged text counts', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const defined = await code.engine.definition({ name: 'Cart', path: 'lib/b.php', ...DEADLINE })
    expect(shown(defined)).toEqual(['lib/cart.php:3:7 class Cart {}'])
    const implementations = async (name: string) =>
      shown(await code.engine.implementations({ name, path: 'Data/Repo.cs', ...DEADLINE }))
    expect(await implementations('IStore')).toEqual([
      'Data/Repo.cs:3:16 public class Repo : IStore {',
      'Data/Repo.cs:6:16 public class Fast : Repo { }',
    ])
    expect(await implementations('IStore.Get')).toEqual([
      'Data/Repo.cs:4:16 public int Get(int id) { return id; } // Get is described here',
    ])
    code.stage('Ui/More.cs', 'using Shop.Data;\nnamespace Shop.Ui {\n  public class More : Fast { }\n}\n')
    expect(await implementations('IStore')).toContain('Ui/More.cs:3:16 public class More : Fast { }')
  })

  it('and what may not be read is not in it', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace, { mayRead: path => !path.startsWith('Ui/') })
    const { places } = await code.engine.references({ name: 'Repo.Get', path: 'Data/Repo.cs', ...DEADLINE })
    expect(places).toEqual([])
    await expect(code.engine.references({ name: 'View.Show', path: 'Ui/View.cs', ...DEADLINE })).rejects.toMatchObject({
      code: 'denied',
    })
    await expect(code.engine.references({ name: 'None', path: 'Data/Repo.cs', ...DEADLINE })).rejects.toMatchObject({
      code: 'no_match',
    })
  })
})
