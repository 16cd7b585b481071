// The methods by name. Coefficients: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
// Differential Equations I, 1993 (sections II.1, II.5, II.10, Dormand and Prince); E. Hairer, G.
// Wanner, Solving Ordinary Differential Equations II, 1996 (sections IV.5, Radau IIA, and IV.7,
// Rosenbrock methods).
#include "src/motion/tableau.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

using Rows = std::vector<std::vector<double>>;
using Row = std::vector<double>;

std::size_t place(int i) {
  return static_cast<std::size_t>(i);
}

// row times a [stages, stages]
Row times(const Row& row, const Row& a, int stages) {
  Row product(place(stages), 0.0);
  for (int j = 0; j < stages; ++j)
    for (int k = 0; k < stages; ++k) product[place(j)] += row[place(k)] * a[place(k * stages + j)];
  return product;
}

Row flat(const Rows& rows) {
  const std::size_t stages = rows.size();
  Row a(stages * stages, 0.0);
  for (std::size_t i = 0; i < stages; ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) a[i * stages + j] = rows[i][j];
  return a;
}

// Errors of z' are given by stages and the end of the step, where the position is b a, or its
// start, the rate of which they do not count: the weights of all rates add up to zero.
Row error_of_position(const Tableau& t, const Row& error) {
  if (error.empty()) return {};
  Row bar = times(error, t.a, t.stages);
  if (t.implicit) {
    bar.push_back(0.0);
    return bar;
  }
  for (int j = 0; j < t.stages; ++j) bar[place(j)] += error.back() * t.b[place(j)];
  bar.push_back(0.0);
  return bar;
}

Tableau runge_kutta(const Rows& a, Row b) {
  Tableau t;
  t.stages = static_cast<int>(a.size());
  t.a = flat(a);
  t.b = std::move(b);
  for (int i = 0; i < t.stages; ++i) {
    const Row row(t.a.begin() + i * t.stages, t.a.begin() + (i + 1) * t.stages);
    const Row bar = times(row, t.a, t.stages);
    t.abar.insert(t.abar.end(), bar.begin(), bar.end());
    double sum = 0.0;
    for (const double entry : row) sum += entry;
    t.c.push_back(sum);
  }
  t.bbar = times(t.b, t.a, t.stages);
  t.quadrature = t.b;
  return t;
}

void estimate(Tableau& t, int error_order, Row error, Row second = {}) {
  t.error_order = error_order;
  t.error = std::move(error);
  t.second_error = std::move(second);
  t.error_bar = error_of_position(t, t.error);
  t.second_error_bar = error_of_position(t, t.second_error);
}

Tableau rk4(const Analysis&) {
  return runge_kutta({{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1. / 6, 1. / 3, 1. / 3, 1. / 6});
}

Tableau dopri5(const Analysis&) {
  Tableau t = runge_kutta({{},
                           {1. / 5},
                           {3. / 40, 9. / 40},
                           {44. / 45, -56. / 15, 32. / 9},
                           {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                           {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}},
                          {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84});
  estimate(t, 4, {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40});
  return t;
}

Tableau dop853(const Analysis&) {
  const Rows a{
      {},
      {0.05260015195876773},
      {0.0197250569845379, 0.0591751709536137},
      {0.02958758547680685, 0.0, 0.08876275643042054},
      {0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792},
      {0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242},
      {0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
      {0.03709200011850479, 0.0, 0.0, 0.17038392571223998, 0.10726203044637328,
       -0.015319437748624402, 0.008273789163814023},
      {0.6241109587160757, 0.0, 0.0, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
       20.154067550477894, -43.48988418106996},
      {0.47766253643826434, 0.0, 0.0, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
       15.279233632882423, -33.28821096898486, -0.020331201708508627},
      {-0.9371424300859873, 0.0, 0.0, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
       -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196},
      {2.273310147516538, 0.0, 0.0, -10.53449546673725, -2.0008720582248625, -17.9589318631188,
       27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303,
       0.6433927460157636}};
  Tableau t = runge_kutta(a, {0.054293734116568765, 0.0, 0.0, 0.0, 0.0, 4.450312892752409,
                              1.8915178993145003, -5.801203960010585, 0.3111643669578199,
                              -0.1521609496625161, 0.20136540080403034, 0.04471061572777259});
  estimate(t, 7,
           {0.01312004499419488, 0.0, 0.0, 0.0, 0.0, -1.2251564463762044, -0.4957589496572502,
            1.6643771824549864, -0.35032884874997366, 0.3341791187130175, 0.08192320648511571,
            -0.022355307863886294, 0.0},
           {-0.18980075407240762, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003,
            -5.801203960010585, -0.4226823213237919, -0.1521609496625161, 0.20136540080403034,
            0.02265179219836082, 0.0});
  return t;
}

Tableau explicit_euler(const Analysis&) {
  return runge_kutta({{}}, {1});
}

Tableau implicit_euler(const Analysis&) {
  Tableau t = runge_kutta({{1}}, {1});
  t.implicit = true;
  t.known = 0;
  return t;
}

// N. Newmark, J. Eng. Mech. Div. 85 (1959) 67-94: the first stage is the start of the step, the
// second its end. With beta = 1/4, gamma = 1/2 it is the trapezoidal rule.
Tableau newmark(const Analysis& analysis) {
  const auto [alpha_m, alpha_f, beta, gamma] = newmark_family(analysis);
  Tableau t = runge_kutta({{}, {1 - gamma, gamma}}, {1 - gamma, gamma});
  t.abar = {0, 0, 0.5 - beta, beta};
  t.bbar = {0.5 - beta, beta};
  t.quadrature = {0.5, 0.5};
  t.implicit = true;
  return t;
}

// J. Chung, G. Hulbert, J. Appl. Mech. 60 (1993) 371-375, and H. Hilber, T. Hughes, R. Taylor,
// Earthquake Eng. Struct. Dyn. 5 (1977) 283-292, with the equations of motion satisfied at the ends
// of steps (M. Arnold, O. Bruels, Multibody Syst. Dyn. 18 (2007) 185-202): stage 0 is the
// algorithmic acceleration, stages 1 and 2 are the true ones at the start and the end.
Tableau generalised_alpha(const Analysis& analysis) {
  const NewmarkFamily family = newmark_family(analysis);
  const double beta = family.beta;
  const double gamma = family.gamma;
  const auto [before, start, end] = family.update();
  const Row position{0.5 - beta + beta * before, beta * start, beta * end};
  const Row velocity{1 - gamma + gamma * before, gamma * start, gamma * end};
  Tableau t = runge_kutta({{}, {}, velocity}, velocity);
  t.abar = {0, 0, 0, 0, 0, 0, position[0], position[1], position[2]};
  t.bbar = position;
  t.c = {0, 0, 1};
  t.quadrature = {0, 0.5, 0.5};
  t.known = 2;
  t.implicit = true;
  t.algorithmic = family.update();
  return t;
}

// Radau IIA with an error estimate: that of the method of order s by the s stages and the start of
// the step, which counts g, the real eigenvalue of a (Hairer and Wanner, section IV.8). Weights d_j
// satisfy sum d_j c_j^(k-1) = -g for k = 1, 0 for k = 2 ... s. They, the eigenvectors of a and, for
// five stages, a itself are roots and solutions found with 60 digits (mpmath: zeros of
// P_s - P_(s-1), collocation conditions, eigenvectors with last component 1), and rounded.
void control_error(Tableau& t, Row error, Row transform, Row inverse, Row blocks) {
  estimate(t, t.stages, std::move(error));
  t.transform = std::move(transform);
  t.inverse_transform = std::move(inverse);
  t.blocks = std::move(blocks);
}

Tableau radau5(const Analysis& analysis) {
  const double r = std::sqrt(6.0);
  Tableau t = runge_kutta({{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
                           {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
                           {(16 - r) / 36, (16 + r) / 36, 1. / 9}},
                          {(16 - r) / 36, (16 + r) / 36, 1. / 9});
  t.implicit = true;
  t.known = 0;
  if (!analysis.controls_error) return t;
  control_error(
      t, {-0.4282982941153681, 0.24503907438491653, -0.091629609865225789, 0.27488882959567737},
      {0.094438762488975241, -0.14125529502095421, -0.030029194105147424, 0.25021312296533331,
       0.20412935229379993, 0.38294211275726194, 1.0, 1.0, 0.0},
      {4.1787185915519047, 0.32768282076106239, 0.52337644549944955, -4.1787185915519047,
       -0.32768282076106239, 0.47662355450055045, -0.50287263494578688, 2.5719269498556054,
       -0.59603920482822492},
      {0.27488882959567737, 0.16255558520216132, 0.18494932440714078});
  return t;
}

Tableau radau9(const Analysis& analysis) {
  Tableau t = runge_kutta(
      {{0.072998864317903324, -0.026735331107945572, 0.018676929763984354, -0.01287910609330644,
        5.0428392338820152e-3},
       {0.15377523147918247, 0.14621486784749351, -0.03644456890512809, 0.021233063119304719,
        -7.9355799027287775e-3},
       {0.14006304568480987, 0.29896712949128348, 0.16758507013524896, -0.033969101686617747,
        0.010944288744192252},
       {0.14489430810953476, 0.27650006876015923, 0.32579792291042103, 0.12875675325490976,
        -0.015708917378805328},
       {0.14371356079122594, 0.28135601514946206, 0.31182652297574125, 0.22310390108357074, 0.04}},
      {0.14371356079122594, 0.28135601514946206, 0.31182652297574125, 0.22310390108357074, 0.04});
  t.c = {0.057104196114517682, 0.27684301363812383, 0.58359043236891682, 0.86024013565621945, 1.0};
  t.implicit = true;
  t.known = 0;
  if (!analysis.controls_error) return t;
  control_error(
      t,
      {-0.25234331224954645, 0.16035712210296995, -0.11627313434096281, 0.08100664894556402,
       -0.031813168885493824, 0.15906584442746912},
      {0.013576867344947943,
       -0.011478515255229515,
       -0.01401985889287541,
       -0.010242047817908827,
       0.047673877290295724,
       1.6179004017190875e-3,
       -7.6688307491801629e-3,
       0.024708578426518527,
       0.050172864517371058,
       -0.094331819181611437,
       0.079157853347447208,
       0.019398463998828951,
       0.081800353703751171,
       -0.23053953404341795,
       0.1027030453801259,
       0.41225608268046145,
       0.40760117128019907,
       0.19968242788680253,
       0.37789390224886125,
       0.46674413033249436,
       1.0,
       1.0,
       0.0,
       1.0,
       0.0},
      {27.697693775684088,    12.783337911304406,  3.2084893867134299,  -0.95149041224891622,
       0.7415504960259896,    -33.041880213519,    -17.376953479063567, -0.17212906325400556,
       -0.099169777982542643, 0.53122811583830667, -8.611443979875292,  9.6999914095288082,
       1.9147286396968743,    2.41869200608494,    -1.0474634879353374, 5.3441864378349116,
       4.593615567759161,     -3.0363603234594243, 1.0506601902314589,  -0.27277861186429627,
       3.7480598074398049,    -3.9849657363438847, -1.0444156416080188, 1.1840985681379485,
       -0.44991777015678037},
      {0.15906584442746912, 0.1331790770182996, 0.074994511835818523, 0.065065778545743619,
       0.11646852774031708});
  return t;
}

// Weights of stages from those of increments: `row` of these makes z of base + sum row_k P_k, where
// P = h drift z' + h^2 increment K.
struct NystroemRow {
  double c;
  Row bar;
};
NystroemRow by_stages(const Tableau& t, const Row& row) {
  NystroemRow made{0.0, Row(place(t.stages), 0.0)};
  for (std::size_t k = 0; k < row.size(); ++k) {
    made.c += row[k] * t.drift[k];
    for (std::size_t j = 0; j < place(t.stages); ++j)
      made.bar[j] += row[k] * t.increment[k * place(t.stages) + j];
  }
  return made;
}

// G. Steinebach, BIT Numer. Math. 63 (2023) 27: Rodas5P, coefficients of increments. Its dense
// output is 1 - x of the start, x of the end and x (1 - x) (H_1 + x H_2 + x^2 H_3) of the
// increments. Objectives are integrated over it by Gauss's formula; the error of that is by the
// third differences of integrands at the nodes and the start.
Tableau rodas5p(const Analysis&) {
  constexpr double gamma = 0.21193756319429014;
  const Row last{-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
                 0.030198172008377946};
  const Rows a{{},
               {3.0},
               {2.849394379747939, 0.45842242204463923},
               {-6.954028509809101, 2.489845061869568, -10.358996098473584},
               {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
               last,
               {last[0], last[1], last[2], last[3], last[4], 1.0},
               {last[0], last[1], last[2], last[3], last[4], 1.0, 1.0}};
  const Rows coupling{
      {},
      {-14.155112264123755},
      {-17.97296035885952, -2.859693295451294},
      {147.12150275711716, -1.41221402718213, 71.68940251302358},
      {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
      {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125,
       -0.6610691825249471},
      {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783,
       -19.097331116725623, -28.087943162872662},
      {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047,
       -40.06618937091002, -54.66780262877968, -9.48861652309627}};
  const Rows dense{
      {25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
       0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
      {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
       20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
      {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
       -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722}};
  Tableau t;
  t.stages = static_cast<int>(a.size());
  t.error_order = 4;
  t.known = 0;
  t.implicit = t.linear = true;
  t.a = flat(a);
  t.coupling = flat(coupling);
  t.blocks = {gamma};
  t.time_share = {gamma,
                  -0.42387512638858027,
                  -0.3384627126235924,
                  1.8046452872882734,
                  2.325825639765069,
                  0.0,
                  0.0,
                  0.0};
  const std::size_t stages = a.size();
  t.increment.assign(stages * stages, 0.0);
  for (std::size_t i = 0; i < stages; ++i) {
    double drift = 1.0;
    double* const own = &t.increment[i * stages];
    for (std::size_t k = 0; k < i; ++k) {
      drift += coupling[i][k] * t.drift[k];
      own[k] += gamma * a[i][k];
      for (std::size_t j = 0; j <= k; ++j)
        own[j] += gamma * coupling[i][k] * t.increment[k * stages + j];
    }
    own[i] = gamma;
    t.drift.push_back(gamma * drift);
    const NystroemRow row = by_stages(t, a[i]);
    t.c.push_back(row.c);
    t.abar.insert(t.abar.end(), row.bar.begin(), row.bar.end());
  }
  t.b = a.back();
  t.b.push_back(1.0);
  t.bbar = by_stages(t, t.b).bar;
  t.error.assign(stages + 1, 0.0);
  t.error[stages - 1] = 1.0;
  t.error_bar.assign(t.increment.end() - static_cast<std::ptrdiff_t>(stages), t.increment.end());
  const double aside = std::sqrt(0.15);
  t.node_c = {0.5 - aside, 0.5, 0.5 + aside};
  t.node_weight = {5. / 18, 4. / 9, 5. / 18};
  double before = -1.0;  // what the third difference counts the start by, inverted
  for (const double x : t.node_c) before *= x;
  for (const double x : t.node_c) {
    Row row(stages);
    for (std::size_t j = 0; j < stages; ++j)
      row[j] = x * (t.b[j] + (1 - x) * (dense[0][j] + x * (dense[1][j] + x * dense[2][j])));
    const NystroemRow made = by_stages(t, row);
    t.node.insert(t.node.end(), row.begin(), row.end());
    t.node_bar.insert(t.node_bar.end(), made.bar.begin(), made.bar.end());
    double product = x;
    for (const double y : t.node_c)
      if (y != x) product *= x - y;
    t.node_error.push_back(gamma * before / product);
  }
  t.node_error.push_back(gamma);
  return t;
}

// In the order of keys::integrators, the last of which stands for others.
constexpr std::array<Tableau (*)(const Analysis&), keys::integrators.size() - 1> methods{
    newmark, generalised_alpha, generalised_alpha, explicit_euler, rk4,    dopri5,
    dop853,  implicit_euler,    newmark,           radau5,         radau9, rodas5p};

}  // namespace

NewmarkFamily newmark_family(const Analysis& analysis) {
  const double rho = analysis.spectral_radius;
  if (analysis.integrator == keys::newmark || analysis.integrator.empty())
    return {0.0, 0.0, analysis.beta, analysis.gamma};
  NewmarkFamily family;
  if (analysis.integrator == keys::generalised_alpha) {
    family.alpha_m = (2 * rho - 1) / (rho + 1);
    family.alpha_f = rho / (rho + 1);
  } else if (analysis.integrator == keys::hht) {
    family.alpha_f = (1 - rho) / (1 + rho);
  } else {
    return family;
  }
  family.gamma = 0.5 + family.alpha_f - family.alpha_m;
  family.beta = 0.25 * (family.gamma + 0.5) * (family.gamma + 0.5);
  return family;
}

Tableau make_tableau(const Analysis& analysis) {
  const auto& names = keys::integrators;
  const auto found = std::find(names.begin(), names.end(), analysis.integrator);
  if (found == names.end() || *found == keys::automatic)
    throw InputError("integrator: found \"" + analysis.integrator + "\", " +
                     suggestion(analysis.integrator, {names.begin(), names.end()}));
  return methods[static_cast<std::size_t>(found - names.begin())](analysis);
}

std::vector<double> Tableau::numbers() const {
  std::vector<double> all;
  if (stages == 0) return all;
  const auto append = [&](const Row& row, int size) {
    const std::size_t end = all.size() + place(size);
    all.insert(all.end(), row.begin(), row.end());
    all.resize(end, 0.0);
  };
  append(a, stages * stages);
  append(abar, stages * stages);
  append(b, stages);
  append(bbar, stages);
  append(c, stages);
  append(quadrature, stages);
  for (const Row* row : {&error, &error_bar, &second_error, &second_error_bar})
    append(*row, stages + 1);
  append(transform, stages * stages);
  append(inverse_transform, stages * stages);
  append(blocks, stages);
  if (!linear) return all;
  append(coupling, stages * stages);
  append(increment, stages * stages);
  for (const Row* row : {&drift, &time_share}) append(*row, stages);
  for (const Row* rows : {&node_bar, &node}) append(*rows, kernels::kNodes * stages);
  for (const Row* row : {&node_c, &node_weight}) append(*row, kernels::kNodes);
  append(node_error, kernels::kNodes + 1);
  return all;
}

bool Tableau::ends_at_stage() const {
  if (!implicit || stages - known != 1) return false;
  const auto last = static_cast<std::ptrdiff_t>(stages * (stages - 1));
  return c.back() == 1.0 && Row(a.begin() + last, a.end()) == b &&
         Row(abar.begin() + last, abar.end()) == bbar;
}

kernels::TableauView Tableau::view(const double* numbers) const {
  return {stages,
          known,
          implicit ? 1 : 0,
          linear ? 1 : 0,
          error_order,
          ends_at_stage() ? 1 : 0,
          {algorithmic[0], algorithmic[1], algorithmic[2]},
          numbers};
}

}  // namespace gradus
