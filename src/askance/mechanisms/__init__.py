"""Published recipes: each takes a frame or a line and yields a channel.

Begin with `Warner` (Warner 1965, two answers), `KAry` (k-ary randomised response, k-RR or GRR) and
`Abstain` (truth, lie or "don't know"); ``at_epsilon`` makes each at a level of local differential
privacy. `Redistribute` and `TableMechanism` are further recipes for named answers; `Blocks`, `Runs`
and `Partitions` report a set of answers and never lie.

Mechanisms by their names in survey methodology: `ForcedResponse`, `OneSided` (hard garbling),
`Mangat`, `UnrelatedQuestion` (Horvitz, Simmons), `Kuk`, `Crosswise`, `Triangular`,
`HiddenSensitivity`, `Christofides`, `Diagonal`.
`respondent_path` gives the tree that a respondent follows, `individual_channels` what each person
was asked through where chances differ.

For columns with many answers (frequency oracles): `UnaryEncoding` (SUE, OUE, RAPPOR),
`SubsetSelection`, `HadamardResponse`, `ProjectiveGeometry` (PGR), `LocalHashing` (BLH, OLH). Their
channels hold no matrix, and `KAry`'s none of more than 64 answers. Asked again and again: `Rappor`,
`MemoisedKAry` (L-GRR), `MemoisedHashing` (LOLOHA) and `DBitFlip` keep what they drew. Several
attributes at once: `SeveralAttributes`.

For numbers: `Cuts` (fixed in number: one is current status, two are case II interval censoring),
`Progressive` (narrowing ranges with a stopping rule), `Ring` and `Selective` (ranges
with a least coverage); `DiscreteLaplace` adds noise to whole numbers. Call ``.channel(frame)`` or
``.channel(line)``. `answer_mechanism` and
`range_mechanism` take a recipe by the name that it has in a survey file.
"""

from typing import TYPE_CHECKING

from askance_collect.lazy import attach

if TYPE_CHECKING:
    from askance.mechanisms.catalogue import (
        answer_mechanism as answer_mechanism,
        range_mechanism as range_mechanism,
    )
    from askance.mechanisms.cuts import (
        Cuts as Cuts,
        Progressive as Progressive,
        Ring as Ring,
        Selective as Selective,
        TwoCuts as TwoCuts,
    )
    from askance.mechanisms.discrete_laplace import DiscreteLaplace as DiscreteLaplace
    from askance.mechanisms.memoised_randomisation import (
        DBitFlip as DBitFlip,
        MemoisedHashing as MemoisedHashing,
        MemoisedKAry as MemoisedKAry,
        Rappor as Rappor,
    )
    from askance.mechanisms.frequency_oracles import (
        HadamardResponse as HadamardResponse,
        LocalHashing as LocalHashing,
        ProjectiveGeometry as ProjectiveGeometry,
        SubsetSelection as SubsetSelection,
        UnaryEncoding as UnaryEncoding,
    )
    from askance.mechanisms.named_mechanisms import (
        Christofides as Christofides,
        Crosswise as Crosswise,
        ForcedResponse as ForcedResponse,
        HiddenSensitivity as HiddenSensitivity,
        Kuk as Kuk,
        Mangat as Mangat,
        Diagonal as Diagonal,
        OneSided as OneSided,
        Triangular as Triangular,
        UnrelatedQuestion as UnrelatedQuestion,
        unknown_harmless_share as unknown_harmless_share,
    )
    from askance.mechanisms.partitions import (
        Blocks as Blocks,
        Partitions as Partitions,
        Runs as Runs,
    )
    from askance.mechanisms.randomised_response import (
        Abstain as Abstain,
        ChancePlace as ChancePlace,
        KAry as KAry,
        Redistribute as Redistribute,
        Warner as Warner,
        TableMechanism as TableMechanism,
    )
    from askance.mechanisms.respondent_path import (
        Draw as Draw,
        Outcome as Outcome,
        OwnAnswer as OwnAnswer,
        SentReport as SentReport,
        respondent_path as respondent_path,
    )
    from askance.mechanisms.several_attributes import (
        SeveralAttributes as SeveralAttributes,
        Sharing as Sharing,
    )
    from askance.mechanisms.several_chances import (
        IndividualChannels as IndividualChannels,
        individual_channels as individual_channels,
    )
else:
    attach(__name__)
