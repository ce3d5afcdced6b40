import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {writeOpenApiYaml} from '../../local/platform/openapi/yaml.ts'

/** The contract of the platform as a file: `npm run docs` writes it anew. */
writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'openapi.yaml'), writeOpenApiYaml())
