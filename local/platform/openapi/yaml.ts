import {stringify} from 'yaml'
import {writeOpenApi} from './document.ts'

/** The same document as it stands in docs/openapi.yaml. */
export function writeOpenApiYaml(): string {
  const text = stringify(writeOpenApi(), {
    lineWidth: 0,
    blockQuote: 'literal',
    aliasDuplicateObjects: false,
  })
  return `# Written by npm run docs: change src/platform/contract/ instead.\n${text}`
}
