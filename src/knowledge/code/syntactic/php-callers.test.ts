import { describe, expect, it } from 'vitest'
import { writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in PHP, from the text', () => {
  const files = {
    'src/Data/Repository.php': `<?php
namespace App\\Data;
class Repository {
  public static function make(): self { return new static(); }
  public function get(int $id, bool $force = false) { return $this->load($id); }
  private function load($id) { return helper($id); }
}
function helper($text) { return $text; }
`,
    'src/Legacy/Repository.php': `<?php
namespace App\\Legacy;
class Repository { public function get($id) { return $id; } }
`,
    'src/Cart.php': `<?php
namespace App;
use App\\Data\\{Repository, Item as Thing};
use App\\Legacy\\Repository as LegacyRepository;
use function App\\Data\\helper as aliased;
trait Logging { public function log($line) {} }
class Base { public function __construct() {} }
class Cart extends Base {
  use Logging;
  private ?LegacyRepository $legacy;
  public function __construct(private Repository $promoted) { parent::__construct(); $this->assigned = new Repository(); }
  public function byTrait() { $this->log(1); }
  public function byAlias() { aliased(2); }
  public function byPromotedProperty() { return $this->promoted->get(1); }
  public function byAssignedProperty() { return $this->assigned->get(2); }
  public function byParameter(Repository $given) { return $given->get(3, true); }
  public function byStaticResult() { $made = Repository::make(); return $made?->get(4); }
  public function onLegacy() { return $this->legacy->get(5); }
  public function onUnknown($anything) { return $anything->get(6); }
}
`,
  }

  it('of a method come by properties, parameters and results, not by unknown values', async () => {
    expect(await writtenCallers(files, 'src/Data/Repository.php', 'Repository.get')).toEqual([
      'Cart.byPromotedProperty > Repository.get @src/Cart.php:14',
      'Cart.byAssignedProperty > Repository.get @src/Cart.php:15',
      'Cart.byParameter > Repository.get @src/Cart.php:16',
      'Cart.byStaticResult > Repository.get @src/Cart.php:17',
    ])
  })

  it('of a method of the same class name in another namespace stay apart', async () => {
    expect(await writtenCallers(files, 'src/Legacy/Repository.php', 'Repository.get')).toEqual([
      'Cart.onLegacy > Repository.get @src/Cart.php:18',
    ])
  })

  it('of a function come by its alias, and by its name in its own namespace', async () => {
    expect(await writtenCallers(files, 'src/Data/Repository.php', 'helper')).toEqual([
      'Cart.byAlias > helper @src/Cart.php:13',
      'Repository.load > helper @src/Data/Repository.php:6',
    ])
  })

  it('of a static method name its class', async () => {
    expect(await writtenCallers(files, 'src/Data/Repository.php', 'Repository.make')).toEqual([
      'Cart.byStaticResult > Repository.make @src/Cart.php:17',
    ])
  })

  it('of a method of a trait are those in the class that uses the trait', async () => {
    expect(await writtenCallers(files, 'src/Cart.php', 'Logging.log')).toEqual([
      'Cart.byTrait > Logging.log @src/Cart.php:12',
    ])
  })

  it('of a constructor come by parent', async () => {
    expect(await writtenCallers(files, 'src/Cart.php', 'Base.__construct')).toEqual([
      'Cart.__construct > Base.__construct @src/Cart.php:11',
    ])
  })
})
