import {join} from 'node:path'
import ts from 'typescript'

/**
 * What the types of Kubernetes' objects do not name, as lines of the compiler: schemas let whatever they do not know pass, so
 * that a misspelt field would do nothing and nobody would hear of it.
 */
export function unknownFields(objects: readonly {apiVersion: string; kind: string}[]): string[] {
  const name = join(import.meta.dirname, 'objects.ts')
  const text = objects
    .map((object, index) => {
      const from = `kubernetes-models/${object.apiVersion}`
      const type = `import(${JSON.stringify(from)}).I${object.kind}`
      return `export const object${index}: ${type} = ${JSON.stringify(object)}`
    })
    .join('\n')
  const options: ts.CompilerOptions = {
    ...{strict: true, noEmit: true, skipLibCheck: true, types: []},
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
  }
  const disk = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => file === name || disk.fileExists(file),
    getSourceFile: (file, ...rest) =>
      file === name
        ? ts.createSourceFile(file, text, ts.ScriptTarget.ESNext)
        : disk.getSourceFile(file, ...rest),
  }
  const program = ts.createProgram([name], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({messageText}) => ts.flattenDiagnosticMessageText(messageText, ' '))
}
