/** How the figures come to be, for the last page of a report. */
export const METHOD: readonly { figure: string; text: string; sources: readonly number[] }[] = [
  {
    figure: 'cell, verdict',
    text: 'A cell is one run of one task by one entry with one seed. Its patch is judged in a fresh workspace that the model never saw. A cell without a verdict for reasons of the machine is infra: it is tried again, and then stands beside the score, in no share.',
    sources: [],
  },
  {
    figure: 'pass@1',
    text: "For each task the share of its runs with a verdict that solved it; then the mean over tasks. The 95 % interval comes from drawing tasks again, 10,000 times, all runs of a task together: runs of one task are alike, and an interval over runs would be too narrow. Where all tasks came to the same, Wilson's interval over tasks stands in its place.",
    sources: [1, 2, 3],
  },
  {
    figure: 'pass@k',
    text: 'Chance that at least one of k runs solves a task, without bias from n runs of which c did: 1 - C(n-c, k) / C(n, k), mean over the tasks that have n of at least k.',
    sources: [4],
  },
  {
    figure: 'pass^k',
    text: 'Chance that all of k runs solve it: C(c, k) / C(n, k), over the same tasks.',
    sources: [5],
  },
  {
    figure: 'flips',
    text: 'Chance that two runs of the same task disagree, mean over tasks with at least two: 2c(n-c) / (n(n-1)).',
    sources: [],
  },
  {
    figure: 'standard error',
    text: 'Standard deviation of the shares of tasks over the square root of their number.',
    sources: [3],
  },
  {
    figure: 'comparison',
    text: 'On tasks that both sides have a verdict for, and between runs only those of the same content. p: how often swapping the two sides of each task by the toss of a coin gives a difference at least as large, counted exactly; with one seed this is the exact test of McNemar. The interval draws tasks again. With several comparisons, p after Holm stands beside it.',
    sources: [6, 7, 8],
  },
  {
    figure: 'smallest difference, tasks needed',
    text: 'Of a two-sided test at 5 % that finds a true difference in 80 of 100 cases: 2.8 standard deviations over the square root of the number of tasks. Where nothing was compared, the deviation is that of runs that differ by their flips alone.',
    sources: [3],
  },
  {
    figure: 'cost curves',
    text: 'Share of all runs with a verdict that were solved within so many steps, tokens or minutes. They end at the share of solved runs, which differs from pass@1 where tasks have unlike numbers of runs. Tokens are prompt and completion of all turns together.',
    sources: [],
  },
  {
    figure: 'suspicions, premature endings',
    text: 'Found by their form in the record, each with its step and the text that shows it; a person decides what they mean. Premature: the final answer came although nothing was changed, or nothing was run since the last change.',
    sources: [],
  },
];

export const SOURCES: readonly string[] = [
  'B. Efron, Bootstrap Methods: Another Look at the Jackknife, Annals of Statistics 7 (1979)',
  'E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927)',
  'E. Miller, Adding Error Bars to Evals, arXiv 2411.00640 (2024)',
  'M. Chen et al., Evaluating Large Language Models Trained on Code, arXiv 2107.03374 (2021)',
  'S. Yao et al., tau-bench, arXiv 2406.12045 (2024)',
  'R. A. Fisher, The Design of Experiments (1935)',
  'Q. McNemar, Note on the Sampling Error of the Difference Between Correlated Proportions, Psychometrika 12 (1947)',
  'S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6 (1979)',
];
