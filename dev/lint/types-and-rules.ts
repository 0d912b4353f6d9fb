import { ESLint } from 'eslint';
import ts from 'typescript';

/**
 * What `tsc` and `eslint --max-warnings 0 .` report, of one type program: most of eslint's time is the inference of types
 * that the compiler has just done. Mends nothing: eslint would not see its own changes in the program.
 */
const root = process.cwd();
const host: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

function programOf(configFile: string): ts.Program {
  const { config, error } = ts.readConfigFile(configFile, (path) => ts.sys.readFile(path)) as {
    readonly config: unknown;
    readonly error?: ts.Diagnostic;
  };
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram({
    rootNames: fileNames,
    options,
    host: ts.createCompilerHost(options, true),
    configFileParsingDiagnostics: error ? [error, ...errors] : errors,
  });
}

const program = programOf('tsconfig.json');
const typeErrors = ts.getPreEmitDiagnostics(program);
process.stderr.write(ts.formatDiagnosticsWithColorAndContext(typeErrors, host));

const eslint = new ESLint({
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: false, programs: [program] } },
  },
});
const results = await eslint.lintFiles(['.']);
const formatter = await eslint.loadFormatter('stylish');
process.stderr.write(await formatter.format(results));

const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
process.exitCode = isClean && typeErrors.length === 0 ? 0 : 1;
