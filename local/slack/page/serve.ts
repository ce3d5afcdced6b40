import {fileURLToPath} from 'node:url'
import {createServer, type Plugin} from 'vite'
import type {PageServer} from '../options.ts'

/**
 * Every package that the page imports. They are bundled once, when the page opens: a package that
 * vite only discovers later makes it reload the page under the person's hands.
 */
const packages = [
  'react',
  'react/jsx-dev-runtime',
  'react-dom/client',
  'mdast-util-from-markdown',
  'mdast-util-gfm',
  'micromark-extension-gfm',
  'slack-blocks-to-jsx',
]

/**
 * Vite puts its reload client into every page, which then looks for a socket that is switched off
 * here and fails aloud. Nothing is reloaded: the client goes.
 */
const withoutReloads: Plugin = {
  name: 'without-reloads',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace(/<script [^>]*\/@vite\/client[^>]*><\/script>/, ''),
  },
}

/** The chat page of the local Slack: vite without its own port, so that one address serves it all. */
export async function openPage(): Promise<PageServer> {
  const root = fileURLToPath(new URL('.', import.meta.url))
  const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
  const vite = await createServer({
    configFile: false,
    root,
    cacheDir: `${modules}/.cache/local-slack-page`,
    appType: 'spa',
    logLevel: 'error',
    plugins: [withoutReloads],
    clearScreen: false,
    server: {
      middlewareMode: true,
      hmr: false,
      ws: false,
      watch: null,
      fs: {allow: [root, modules]},
    },
    optimizeDeps: {include: packages, noDiscovery: true},
  })
  return {
    handle: (request, response) => vite.middlewares(request, response),
    close: () => vite.close(),
  }
}
